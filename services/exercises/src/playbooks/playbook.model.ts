import type {
  Engine,
  Playbook,
  PlaybookChange,
  PlaybookContent,
  PlaybookStep,
  PlaybookSummary,
} from '@muster/contracts';
import { collection, Mixed, repository, type Stored } from '@muster/service-kit';

/** One version of a session's playbook; earlier ones are kept. */
export interface PlaybookDoc extends Stored {
  session_id: string;
  version: number;
  /** Whether it is the latest version: the one that lists show. */
  current: boolean;
  engine: Engine;
  title: string;
  phases: PlaybookContent['phases'];
  steps: number;
  changes: PlaybookChange[];
  /** Filename, name and roles of its scenario, so that the documents can name them. */
  scenario: string;
  scenario_title: string;
  roles: { id: string; name: string }[];
  /** When its first version was made. */
  first_created_at: Date;
  created_at: Date;
  job_id: string;
}

const required = <T>(type: T) => ({ type, required: true });

export const playbookCollection = collection<PlaybookDoc>({
  name: 'playbooks',
  fields: {
    session_id: required(String),
    version: required(Number),
    current: required(Boolean),
    engine: required(Mixed),
    title: required(String),
    phases: [Mixed],
    steps: required(Number),
    changes: [Mixed],
    scenario: required(String),
    scenario_title: required(String),
    roles: [Mixed],
    first_created_at: required(Date),
    created_at: required(Date),
    job_id: required(String),
  },
  indexes: [
    [{ org_id: 1, session_id: 1, version: -1 }, { unique: true }],
    [{ org_id: 1, current: 1, _id: -1 }],
  ],
});

export const playbooks = repository(playbookCollection);

/** Leaves out what a list does not show. */
export const summaryProjection = { phases: 0, changes: 0, roles: 0 } as const;

export function toPlaybook(doc: PlaybookDoc): Playbook {
  const { session_id, version, engine, title, phases, changes, created_at } = doc;
  return { session_id, version, engine, title, phases, changes, created_at: created_at.toISOString() };
}

export function toPlaybookSummary(doc: PlaybookDoc): PlaybookSummary {
  const { session_id, version, engine, title, steps, created_at } = doc;
  return { session_id, title, version, engine, steps, created_at: created_at.toISOString() };
}

/** All steps of a playbook in their order. */
export function stepsOf({ phases }: Pick<PlaybookContent, 'phases'>): PlaybookStep[] {
  return phases.flatMap(({ steps }) => steps);
}
