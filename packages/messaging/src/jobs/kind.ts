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
  /** Lower-case words joined by `-`; part of a queue's name, so it must stay the same. */
  kind: string;
  payload: z.ZodType;
  /** Runs before the job has failed. */
  attempts: number;
  /** The wait between two runs. */
  backoff: Backoff;
  /** The deadline of one run. */
  timeoutMs: number;
  /** Runs side by side in one process. */
  concurrency: number;
  /**
   * May run again after a crash or a failure, so its steps must bear repeating. Returns where the result is, or null; an
   * error whose `code` is a client's problem (4xx in the contracts) ends the job at once, any other is tried again.
   */
  run(context: JobContext, payload: unknown): Promise<JobResult>;
}
