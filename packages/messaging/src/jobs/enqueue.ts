import { newJobId, type ServiceName } from '@muster/contracts';
import type { mongo } from 'mongoose';
import type { RequestContext } from '../options.ts';
import type { NewJob, StoredJob } from './job.ts';
import type { JobKind } from './kind.ts';

/** Writes a job as part of a transaction. @returns its id, or that of the earlier job with the same key */
export type Enqueue = (session: mongo.ClientSession, job: NewJob) => Promise<string>;

/** @throws Error when the kind is unknown here or the payload does not fit it: programming errors */
export function createEnqueue(parts: {
  service: ServiceName;
  jobs: mongo.Collection<StoredJob>;
  kinds: ReadonlyMap<string, JobKind>;
  requestContext?: RequestContext;
}): Enqueue {
  const { service, jobs, kinds } = parts;
  return async (session, job) => {
    if (!session.inTransaction())
      throw new Error('A job is enqueued in the transaction of the command that wants it');
    const payload = checkedPayload(kinds, job);
    if (job.idempotencyKey !== undefined) {
      const filter = { org_id: job.org, kind: job.kind, idempotency_key: job.idempotencyKey };
      const earlier = await jobs.findOne(filter, { session, projection: { _id: 1 } });
      if (earlier) return earlier._id;
    }
    const row = { ...queued(job, payload), _id: job.id ?? newJobId(service) };
    const trace = parts.requestContext?.current?.();
    if (trace?.traceparent) row.traceparent = trace.traceparent;
    if (trace?.requestId) row.request_id = trace.requestId;
    await jobs.insertOne(row, { session });
    return row._id;
  };
}

/** A payload as JSON. @throws Error as {@link createEnqueue} says */
export function checkedPayload(
  kinds: ReadonlyMap<string, JobKind>,
  job: Pick<NewJob, 'kind' | 'payload'>,
): string {
  const kind = kinds.get(job.kind);
  if (!kind) throw new Error(`No kind of job is called ${job.kind} in this service`);
  const parsed = kind.payload.safeParse(job.payload);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new Error(`The payload does not fit the job ${job.kind}: ${issues.join('; ')}`);
  }
  // As given: the run parses it again, and a transformed payload might not parse twice.
  return JSON.stringify(job.payload ?? null);
}

function queued(job: NewJob, payload: string): Omit<StoredJob, '_id'> {
  const now = new Date();
  return {
    org_id: job.org,
    kind: job.kind,
    state: 'queued',
    generation: 1,
    attempts: 0,
    payload,
    progress: { done: 0, total: null, message: '' },
    result: null,
    error: null,
    lease: null,
    ...(job.idempotencyKey !== undefined && { idempotency_key: job.idempotencyKey }),
    unscheduled: true,
    run_at: now,
    created_at: now,
    started_at: null,
    finished_at: null,
  };
}
