import type {
  Imported,
  Operation,
  OperationMetrics,
  OperationStatus,
  OperationSummary,
  TestedTechnique,
} from '@muster/contracts';
import {
  collection,
  list,
  Mixed,
  nullable,
  type RowOf,
  repository,
  required,
  text,
} from '@muster/service-kit';

export const operationCollection = collection({
  name: 'operations',
  fields: {
    /** Raised by one with every change: the entity tag, and the order of its events. */
    version: required(Number),
    name: required(String),
    objective: text(),
    status: required<OperationStatus>(String),
    scenario: nullable(String),
    session_id: nullable(String),
    started_at: nullable(Date),
    ended_at: nullable(Date),
    techniques: list<TestedTechnique>(Mixed),
    metrics: required<OperationMetrics>(Mixed),
    imported: nullable<Imported>(Mixed),
    /** The id at the source of an imported operation, else its own: one operation each. */
    execution_id: required(String),
    /** Techniques and those they are a part of, to filter by. */
    technique_ids: list(String),
    words: list(String),
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
export type OperationDoc = RowOf<typeof operationCollection>;

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
    id,
    name,
    objective,
    status,
    scenario,
    session_id,
    metrics,
    imported,
    started_at: doc.started_at?.toISOString() ?? null,
    ended_at: doc.ended_at?.toISOString() ?? null,
    created_by: doc.created_by,
    created_at: doc.created_at.toISOString(),
    updated_at: doc.updated_at.toISOString(),
    version: doc.version,
  };
}
