import type { PlaybookChange, PlaybookContent, PlaybookStep } from '@muster/contracts';

const STEP_FIELDS = [
  'title',
  'detail',
  'owner_role',
  'target_minutes',
  'depends_on',
  'gap_ids',
  'techniques',
  'controls',
  'exercised',
  'measured_minutes',
] as const satisfies readonly (keyof PlaybookStep)[];

/** What a new version of a playbook does differently, step by step in its order; steps that left come last. */
export function changesBetween(
  before: Pick<PlaybookContent, 'phases'>,
  after: Pick<PlaybookContent, 'phases'>,
): PlaybookChange[] {
  const [old, now] = [before, after].map(
    ({ phases }) =>
      new Map(phases.flatMap(({ phase, steps }) => steps.map((step) => [step.id, { phase, step }] as const))),
  );
  const changed = [...(now ?? [])].flatMap(([step_id, { phase, step }]): PlaybookChange[] => {
    const earlier = old?.get(step_id);
    if (!earlier) return [{ kind: 'added', step_id, title: step.title, fields: [] }];
    const fields: string[] = STEP_FIELDS.filter(
      (field) => JSON.stringify(earlier.step[field]) !== JSON.stringify(step[field]),
    );
    if (earlier.phase !== phase) fields.unshift('phase');
    return fields.length > 0 ? [{ kind: 'changed', step_id, title: step.title, fields }] : [];
  });
  const removed = [...(old ?? [])].flatMap(([step_id, { step }]): PlaybookChange[] =>
    now?.has(step_id) ? [] : [{ kind: 'removed', step_id, title: step.title, fields: [] }],
  );
  return [...changed, ...removed];
}
