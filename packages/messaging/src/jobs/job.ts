import type { Job, JobStatus, Problem } from '@muster/contracts';

/** A job that is to be done. */
export interface NewJob {
  kind: string;
  org: string;
  payload: unknown;
  /** A second job of this kind and organization with the same key is the first one. */
  idempotencyKey?: string;
  /** Made by `newJobId`; default a new one. */
  id?: string;
}

/** A job in the database, which is the truth; Redis only says when to look. */
export interface StoredJob {
  _id: string;
  org_id: string;
  kind: string;
  state: JobStatus;
  /** Grows each time the job is scheduled; a run of an older generation matches nothing. */
  generation: number;
  attempts: number;
  /** JSON. */
  payload: string;
  progress: Job['progress'];
  result: Job['result'];
  error: Problem | null;
  lease: { owner: string; beat: number } | null;
  idempotency_key?: string;
  traceparent?: string;
  request_id?: string;
  /** There until Redis knows this generation. */
  unscheduled?: true;
  /** Not to be run earlier. */
  run_at: Date;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}

export const FINISHED: ReadonlySet<JobStatus> = new Set(['succeeded', 'failed', 'cancelled']);

/** The job as the contract shows it. */
export function toJob(row: StoredJob): Job {
  return {
    id: row._id,
    kind: row.kind,
    status: row.state,
    progress: row.progress,
    result: row.result,
    error: row.error,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    attempts: row.attempts,
  };
}
