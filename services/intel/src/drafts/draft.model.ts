import type { Engine, ScenarioContent, ScenarioDraft } from '@muster/contracts';
import { collection, Mixed, nullable, type RowOf, repository, required } from '@muster/service-kit';

/** A scenario that was written from an item. In the library it has the same id. */
export const draftCollection = collection({
  name: 'scenario_drafts',
  fields: {
    item_id: required(String),
    status: required<ScenarioDraft['status']>(String),
    filename: required(String),
    content: required<ScenarioContent>(Mixed),
    engine: required<Engine>(Mixed),
    fitted: required(Boolean),
    /** The job that wrote it: one that is repeated writes one. */
    job_id: required(String),
    created_by: required(String),
    created_at: required(Date),
    stored_at: nullable(Date),
  },
  indexes: [
    [{ org_id: 1, job_id: 1 }, { unique: true }],
    [{ org_id: 1, _id: -1 }],
    [{ org_id: 1, item_id: 1, _id: -1 }],
  ],
});
export type DraftDoc = RowOf<typeof draftCollection>;

export const drafts = repository(draftCollection);

export function toDraft(doc: DraftDoc): ScenarioDraft {
  const { _id: id, item_id, status, engine, fitted, content, filename, created_by } = doc;
  return {
    id,
    item_id,
    status,
    engine,
    fitted,
    created_by,
    scenario: { ...content, filename, source: 'intel' },
    created_at: doc.created_at.toISOString(),
    stored_at: doc.stored_at?.toISOString() ?? null,
  };
}
