import type { Engine, Evaluation, EvaluationContent } from '@muster/contracts';
import { collection, Mixed, nullable, type RowOf, repository, required } from '@muster/service-kit';

/** One evaluation of a session. The highest version is the current one; earlier ones are kept. */
export const evaluationCollection = collection({
  name: 'evaluations',
  fields: {
    session_id: required(String),
    version: required(Number),
    engine: required<Engine>(Mixed),
    content: required<EvaluationContent>(Mixed),
    /** The job that wrote it; null for one that was handed in. */
    job_id: nullable(String),
    created_at: required(Date),
  },
  indexes: [[{ org_id: 1, session_id: 1, version: -1 }, { unique: true }]],
});
export type EvaluationDoc = RowOf<typeof evaluationCollection>;

export const evaluations = repository(evaluationCollection);

export function toEvaluation({ session_id, engine, content, created_at }: EvaluationDoc): Evaluation {
  return { session_id, engine, ...content, created_at: created_at.toISOString() };
}
