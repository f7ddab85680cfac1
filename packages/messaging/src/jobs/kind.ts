import type { Job } from '@muster/contracts';
import type { Connection, mongo } from 'mongoose';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { NewEvent } from '../events/event.ts';
import type { Backoff } from '../process/backoff.rules.ts';
import type { NewJob } from './job.ts';

/** A transaction of a job that still owns its lease: a run that was taken over changes nothing any more. */
export interface JobTx {
  session: mongo.ClientSession;
  db: mongo.Db;
  emit(...events: NewEvent[]): Promise<void>;
  /** @returns the job's id */
  enqueue(job: Omit<NewJob, 'org'>): Promise<string>;
}

/** What a running job works with. */
export interface JobContext {
  org: string;
  jobId: string;
  /** Which run this is, from 1. */
  attempt: number;
  /** Aborts when the job is cancelled, its time is up, it was taken over, or the process stops. */
  signal: AbortSignal;
  log: Logger;
  connection: Connection;
  /** @param total null while it is unknown */
  progress(done: number, total: number | null, message: string): Promise<void>;
  /** Runs work in a transaction that commits only while this run owns the job. @throws Error otherwise */
  transaction<T>(work: (tx: JobTx) => Promise<T>): Promise<T>;
}

export type JobResult = Job['result'];

/** A kind of work that runs on a queue of its own. */
export interface JobKind {
  kind: string;
  payload: z.ZodType;
  attempts: number;
  backoff: Backoff;
  timeoutMs: number;
  concurrency: number;
  run(context: JobContext, payload: unknown): Promise<JobResult>;
}

const ATTEMPTS = 5;
const BACKOFF: Backoff = { baseMs: 1_000, maxMs: 60_000 };
const TIMEOUT_MS = 15 * 60_000;
const CONCURRENCY = 4;

/**
 * Declares a kind of job. `run` may run again after a crash or a failure, so its steps must bear repeating.
 * @param kind lower-case words joined by `-`; part of a queue's name, so it must stay the same
 * @param attempts runs before the job has failed, default 5
 * @param backoff wait between runs, default 1 s doubling to 60 s, with jitter
 * @param timeoutMs deadline of one run, default 15 minutes
 * @param concurrency runs side by side in one process, default 4
 * @param run returns where the result is, or null; an error whose `code` is a client's problem (4xx in the contracts)
 * ends the job at once, any other is tried again
 */
export function jobKind<Payload extends z.ZodType>(declaration: {
  kind: string;
  payload: Payload;
  attempts?: number;
  backoff?: Backoff;
  timeoutMs?: number;
  concurrency?: number;
  run: (context: JobContext, payload: z.output<Payload>) => Promise<JobResult>;
}): JobKind {
  if (!/^[a-z][a-z0-9-]*$/.test(declaration.kind))
    throw new Error(`A kind of job is named like sync-directory, not ${declaration.kind}`);
  return {
    attempts: ATTEMPTS,
    backoff: BACKOFF,
    timeoutMs: TIMEOUT_MS,
    concurrency: CONCURRENCY,
    ...declaration,
    run: (context, payload) => declaration.run(context, payload as z.output<Payload>),
  };
}
