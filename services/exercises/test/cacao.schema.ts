import { z } from 'zod';

// What CACAO Security Playbooks 2.0 demands, as far as an export uses it: sections 3.1 (playbook), 4 (steps), 5.10
// (manual command), 7 (agents) and 10 (data types).

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
const stepUuid = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
const idOf = (type: string) => z.string().regex(new RegExp(`^${type}--${uuid}$`));
const stepId = (types = 'start|end|action|parallel') =>
  z.string().regex(new RegExp(`^(?:${types})--${stepUuid}$`));
const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const reference = z.strictObject({
  name: z.string().min(1),
  external_id: z.string().min(1),
  url: z.url().optional(),
});
const references = z.array(reference).min(1);

const step = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('start'), on_completion: stepId() }),
  z.strictObject({ type: z.literal('end') }),
  z.strictObject({
    type: z.literal('action'),
    name: z.string().min(1),
    description: z.string(),
    external_references: references.optional(),
    on_completion: stepId(),
    commands: z
      .array(
        z.strictObject({
          type: z.literal('manual'),
          command: z.string().min(1),
          description: z.string().optional(),
          playbook_activity: z.string().min(1),
        }),
      )
      .min(1),
    agent: idOf('group'),
  }),
  z.strictObject({
    type: z.literal('parallel'),
    name: z.string(),
    next_steps: z.array(stepId()).min(2),
    on_completion: stepId(),
  }),
]);

const shape = z.strictObject({
  type: z.literal('playbook'),
  spec_version: z.literal('cacao-2.0'),
  id: idOf('playbook'),
  name: z.string().min(1),
  description: z.string(),
  playbook_types: z
    .array(
      z.enum([
        'attack',
        'detection',
        'engagement',
        'investigation',
        'mitigation',
        'notification',
        'prevention',
        'remediation',
      ]),
    )
    .min(1),
  playbook_activities: z.array(z.string()).min(1),
  created_by: idOf('identity'),
  created: time,
  modified: time,
  labels: z.array(z.string()).min(1),
  external_references: references.optional(),
  workflow_start: stepId('start'),
  workflow: z.record(stepId(), step),
  agent_definitions: z.record(
    idOf('group'),
    z.strictObject({ type: z.literal('group'), name: z.string().min(1) }),
  ),
});

/** A playbook by the standard: its form, and every rule between its parts. */
export const cacao = shape.superRefine((playbook, context) => {
  const wrong = (message: string) => context.addIssue({ code: 'custom', message });
  const { workflow } = playbook;
  const steps = Object.entries(workflow);
  for (const [id, { type }] of steps) if (!id.startsWith(`${type}--`)) wrong(`${id} is a ${type}`);
  if (steps.filter(([, { type }]) => type === 'start').length !== 1) wrong('there is one start');
  if (!steps.some(([, { type }]) => type === 'action')) wrong('there is an action');
  if (playbook.modified < playbook.created) wrong('modified before created');
  const ids = [playbook.id, ...Object.keys(workflow), ...Object.keys(playbook.agent_definitions)];
  if (new Set(ids.map((id) => id.split('--')[1])).size !== ids.length) wrong('two objects share a uuid');
  const known = new Set(
    playbook.external_references?.map(({ name, external_id }) => `${name} ${external_id}`),
  );
  const activities = new Set(playbook.playbook_activities);
  const used = new Set<string>();
  const branchEnds = new Set<string>();
  for (const [, one] of steps) {
    const targets = [
      ...('on_completion' in one ? [one.on_completion] : []),
      ...('next_steps' in one ? one.next_steps : []),
    ];
    for (const target of targets) if (!workflow[target]) wrong(`${target} is not in the workflow`);
    if (one.type === 'action') {
      if (!playbook.agent_definitions[one.agent]) wrong(`${one.agent} is not defined`);
      for (const { playbook_activity } of one.commands) used.add(playbook_activity);
      for (const { name, external_id } of one.external_references ?? [])
        if (!known.has(`${name} ${external_id}`))
          wrong(`${external_id} is not among the playbook's references`);
    }
    if (one.type === 'parallel') {
      for (const branch of one.next_steps) {
        const end = endOf(workflow, branch);
        if (end === null || branchEnds.has(end)) wrong(`the branch ${branch} has no end of its own`);
        else branchEnds.add(end);
      }
    }
  }
  if ([...activities].some((activity) => !used.has(activity))) wrong('an activity that no command has');
  const last = endOf(workflow, playbook.workflow_start);
  if (last === null || branchEnds.has(last)) wrong('the workflow does not come to its end');
  if (reached(workflow, playbook.workflow_start).size !== steps.length) wrong('a step that nothing leads to');
});

type Workflow = z.output<typeof shape>['workflow'];

/** The end that a line of steps comes to, or null where it runs in a circle or nowhere. */
function endOf(workflow: Workflow, from: string): string | null {
  const seen = new Set<string>();
  for (let id = from; !seen.has(id); ) {
    seen.add(id);
    const one = workflow[id];
    if (!one) return null;
    if (one.type === 'end') return id;
    id = one.on_completion;
  }
  return null;
}

function reached(workflow: Workflow, from: string, seen = new Set<string>()): Set<string> {
  const one = workflow[from];
  if (!one || seen.has(from)) return seen;
  seen.add(from);
  if ('on_completion' in one) reached(workflow, one.on_completion, seen);
  if (one.type === 'parallel') for (const branch of one.next_steps) reached(workflow, branch, seen);
  return seen;
}
