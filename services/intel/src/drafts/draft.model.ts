import type { Engine, ScenarioContent, ScenarioDraft } from '@muster/contracts';
import { collection, Mixed, repository, type Stored } from '@muster/service-kit';

/** A scenario that was written from an item. In the library it has the same id. */
export interface DraftDoc extends Stored {
  item_id: string;
  status: ScenarioDraft['status'];
  filename: string;
  content: ScenarioContent;
  engine: Engine;
  fitted: boolean;
  /** The job that wrote it: one that is repeated writes one. */
  job_id: string;
  created_by: string;
  created_at: Date;
  stored_at: Date | null;
}

const required = <T>(type: T) => ({ type, required: true });

export const draftCollection = collection<DraftDoc>({
  name: 'scenario_drafts',
  fields: {
    item_id: required(String),
    status: required(String),
    filename: required(String),
    content: required(Mixed),
    engine: required(Mixed),
    fitted: required(Boolean),
    job_id: required(String),
    created_by: required(String),
    created_at: required(Date),
    stored_at: { type: Date, default: null },
  },
  indexes: [
    [{ org_id: 1, job_id: 1 }, { unique: true }],
    [{ org_id: 1, _id: -1 }],
    [{ org_id: 1, item_id: 1, _id: -1 }],
  ],
});

export const drafts = repository(draftCollection);

export function toDraft(doc: DraftDoc): ScenarioDraft {
  const { _id: id, item_id, status, engine, fitted, content, filename, created_by } = doc;
  return {
    ...{ id, item_id, status, engine, fitted, created_by },
    scenario: { ...content, filename, source: 'intel' },
    created_at: doc.created_at.toISOString(),
    stored_at: doc.stored_at?.toISOString() ?? null,
  };
}
