import type { Playbook, PlaybookStep } from '@muster/contracts';
import { v5 } from 'uuid';
import {
  type Agents,
  type CacaoStep,
  type ExternalReference,
  type Identifiers,
  identifiers,
  type Phases,
  PURPOSE,
  workflowOf,
} from './workflow.rules.ts';

/** What an export needs beside the playbook. */
export interface CacaoContext {
  organization_id: string;
  /** The scenario's roles: the agents. */
  roles: readonly { id: string; name: string }[];
  /** RFC 3339 with milliseconds: when the first version was made. */
  first_created_at: string;
}

export interface CacaoPlaybook {
  type: 'playbook';
  spec_version: 'cacao-2.0';
  id: string;
  name: string;
  description: string;
  playbook_types: string[];
  playbook_activities: string[];
  created_by: string;
  created: string;
  modified: string;
  labels: string[];
  external_references?: ExternalReference[];
  workflow_start: string;
  workflow: Record<string, CacaoStep>;
  agent_definitions: Record<string, { type: 'group'; name: string }>;
}

/** Of all playbooks that this product exports; the standard keeps its own namespace for names made another way. */
const NAMESPACE = '3d0a1f0e-5a5c-4c5e-9d53-6c2f0c8d1b7a';

/** The standard wants at least one action. */
const NOTHING_TO_DO: PlaybookStep = {
  id: 'nothing',
  title: 'Nothing to do: the exercise expected no action',
  detail: '',
  owner_role: 'everybody',
  target_minutes: null,
  depends_on: [],
  gap_ids: [],
  techniques: [],
  controls: [],
  exercised: 'not_exercised',
  measured_minutes: null,
};

/**
 * A playbook as CACAO Security Playbooks 2.0, https://docs.oasis-open.org/cacao/security-playbooks/v2.0/. Steps for
 * people are manual commands of the role that owns them. Phases follow each other; inside a phase, steps that wait for
 * nothing unfinished run side by side. The same playbook gives the same export, ids included.
 */
export function cacaoPlaybook(playbook: Playbook, context: CacaoContext): CacaoPlaybook {
  const ids = identifiers(playbook.session_id);
  const phases = phasesOf(playbook);
  const agents = agentsOf(phases, context, ids);
  const { start, workflow } = workflowOf(phases, agents, ids);
  const references = new Map(
    Object.values(workflow)
      .flatMap((step) => step.external_references ?? [])
      .map((reference) => [`${reference.name} ${reference.external_id}`, reference]),
  );
  const purposes = phases.map(({ phase }) => PURPOSE[phase]);
  return {
    type: 'playbook',
    spec_version: 'cacao-2.0',
    id: `playbook--${v5(playbook.session_id, NAMESPACE)}`,
    name: playbook.title,
    description: `Version ${playbook.version}, made from a security exercise: each step says what the exercise showed of it.`,
    playbook_types: [...new Set(purposes.map(({ type }) => type))],
    playbook_activities: [...new Set(purposes.map(({ activity }) => activity))],
    created_by: `identity--${v5(context.organization_id, NAMESPACE)}`,
    created: context.first_created_at,
    modified: playbook.created_at,
    labels: ['exercise', `version-${playbook.version}`],
    ...(references.size > 0 && { external_references: [...references.values()] }),
    workflow_start: start,
    workflow,
    agent_definitions: Object.fromEntries(
      [...agents.values()].map(({ id, name }) => [id, { type: 'group' as const, name }]),
    ),
  };
}

function phasesOf({ phases }: Playbook): Phases {
  const filled = phases.filter(({ steps }) => steps.length > 0);
  return filled.length > 0 ? filled : [{ phase: 'preparation', steps: [NOTHING_TO_DO] }];
}

/** An agent for each role that owns a step, by the role's id. */
function agentsOf(phases: Phases, { roles }: CacaoContext, idOf: Identifiers): Agents {
  const names = new Map(roles.map(({ id, name }) => [id, name]));
  const owners = new Set(phases.flatMap(({ steps }) => steps.map((step) => step.owner_role)));
  return new Map(
    [...owners].map((role) => [role, { id: idOf('group', role), name: names.get(role) ?? role }]),
  );
}
