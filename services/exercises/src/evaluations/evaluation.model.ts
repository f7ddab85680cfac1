import type { Engine, Evaluation, EvaluationContent } from '@muster/contracts';
import { collection, Mixed, repository, type Stored } from '@muster/service-kit';

/** One evaluation of a session. The highest version is the current one; earlier ones are kept. */
export interface EvaluationDoc extends Stored {
  session_id: string;
  version: number;
  engine: Engine;
  content: EvaluationContent;
  /** The job that wrote it; null for one that was handed in. */
  job_id: string | null;
  created_at: Date;
}

const required = <T>(type: T) => ({ type, required: true });

export const evaluationCollection = collection<EvaluationDoc>({
  name: 'evaluations',
  fields: {
    session_id: required(String),
    version: required(Number),
    engine: required(Mixed),
    content: required(Mixed),
    job_id: { type: String, default: null },
    created_at: required(Date),
  },
  indexes: [[{ org_id: 1, session_id: 1, version: -1 }, { unique: true }]],
});

export const evaluations = repository(evaluationCollection);

export function toEvaluation({ session_id, engine, content, created_at }: EvaluationDoc): Evaluation {
  return { session_id, engine, ...content, created_at: created_at.toISOString() };
}
