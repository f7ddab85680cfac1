import type {
  Imported,
  Operation,
  OperationMetrics,
  OperationStatus,
  OperationSummary,
  TestedTechnique,
} from '@muster/contracts';
import { collection, Mixed, repository, type Stored } from '@muster/service-kit';

export interface OperationDoc extends Stored {
  /** Raised by one with every change: the entity tag, and the order of its events. */
  version: number;
  name: string;
  objective: string;
  status: OperationStatus;
  scenario: string | null;
  session_id: string | null;
  started_at: Date | null;
  ended_at: Date | null;
  techniques: TestedTechnique[];
  metrics: OperationMetrics;
  imported: Imported | null;
  /** The id at the source of an imported operation, else its own: one operation each. */
  execution_id: string;
  /** Techniques and those they are a part of, to filter by. */
  technique_ids: string[];
  words: string[];
  techniques_count: number;
  created_by: string;
  created_at: Date;
  updated_at: Date;
}

const required = <T>(type: T) => ({ type, required: true });

export const operationCollection = collection<OperationDoc>({
  name: 'operations',
  fields: {
    version: required(Number),
    name: required(String),
    objective: String,
    status: required(String),
    scenario: { type: String, default: null },
    session_id: { type: String, default: null },
    started_at: { type: Date, default: null },
    ended_at: { type: Date, default: null },
    techniques: [Mixed],
    metrics: required(Mixed),
    imported: { type: Mixed, default: null },
    execution_id: required(String),
    technique_ids: [String],
    words: [String],
    techniques_count: required(Number),
    created_by: required(String),
    created_at: required(Date),
    updated_at: required(Date),
  },
  indexes: [
    [{ org_id: 1, execution_id: 1 }, { unique: true }],
    [{ org_id: 1, _id: -1 }],
    [{ org_id: 1, status: 1, _id: -1 }],
    [{ org_id: 1, technique_ids: 1, _id: -1 }],
    [{ org_id: 1, words: 1, _id: -1 }],
    [{ org_id: 1, started_at: -1, _id: -1 }],
  ],
});

export const operations = repository(operationCollection);

/** Leaves out what a list does not show. */
export const summaryProjection = { techniques: 0, technique_ids: 0, words: 0 } as const;

export function toSummary(doc: OperationDoc): OperationSummary {
  return { ...shown(doc), techniques_count: doc.techniques_count };
}

export function toOperation(doc: OperationDoc): Operation {
  return { ...shown(doc), techniques: doc.techniques };
}

function shown(doc: OperationDoc): Omit<OperationSummary, 'techniques_count'> {
  const { _id: id, name, objective, status, scenario, session_id, metrics, imported } = doc;
  return {
    ...{ id, name, objective, status, scenario, session_id, metrics, imported },
    started_at: doc.started_at?.toISOString() ?? null,
    ended_at: doc.ended_at?.toISOString() ?? null,
    created_by: doc.created_by,
    created_at: doc.created_at.toISOString(),
    updated_at: doc.updated_at.toISOString(),
    version: doc.version,
  };
}
