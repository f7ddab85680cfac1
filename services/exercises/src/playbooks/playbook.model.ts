import type { Engine, Playbook, PlaybookChange, PlaybookContent, PlaybookSummary } from '@muster/contracts';
import { collection, list, Mixed, type RowOf, repository, required } from '@muster/service-kit';

/** One version of a session's playbook; earlier ones are kept. */
export const playbookCollection = collection({
  name: 'playbooks',
  fields: {
    session_id: required(String),
    version: required(Number),
    /** Whether it is the latest version: the one that lists show. */
    current: required(Boolean),
    engine: required<Engine>(Mixed),
    title: required(String),
    phases: list<PlaybookContent['phases'][number]>(Mixed),
    steps: required(Number),
    changes: list<PlaybookChange>(Mixed),
    /** Filename, name and roles of its scenario, so that the documents can name them. */
    scenario: required(String),
    scenario_title: required(String),
    roles: list<{ id: string; name: string }>(Mixed),
    /** When its first version was made. */
    first_created_at: required(Date),
    created_at: required(Date),
    job_id: required(String),
  },
  indexes: [
    [{ org_id: 1, session_id: 1, version: -1 }, { unique: true }],
    [{ org_id: 1, current: 1, _id: -1 }],
  ],
});
export type PlaybookDoc = RowOf<typeof playbookCollection>;

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
