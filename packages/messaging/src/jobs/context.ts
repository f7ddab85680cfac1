import type { Job } from '@muster/contracts';
import type { Connection, mongo } from 'mongoose';
import type { Logger } from 'pino';
import type { Emit } from '../outbox/emit.ts';
import { inTransaction } from '../store/transaction.ts';
import type { Enqueue } from './enqueue.ts';
import type { JobStore, Run } from './job.store.ts';
import type { StoredJob } from './job.ts';
import type { JobContext, JobTx } from './kind.ts';

const PROGRESS_MS = 250;

/** Another process, or a person who cancelled, owns the job now. */
export class TakenOver extends Error {}

/** A run in progress: what its `run` is given, and what the runner asks of it. */
export interface RunInProgress {
  context: JobContext;
  /** Says that it is alive; aborts it when it was taken over. */
  beat(): Promise<void>;
}

export function createRunInProgress(parts: {
  run: Run;
  row: StoredJob;
  stop: AbortController;
  store: JobStore;
  connection: Connection;
  emit: Emit;
  enqueue: Enqueue;
  log: Logger;
  /** Called after each write that people can see. */
  changed(): void;
  committed(): void;
}): RunInProgress {
  const { run, row, stop, store, connection } = parts;
  let unwritten: Job['progress'] | undefined;
  let writtenAt = 0;

  async function write(): Promise<void> {
    const progress = unwritten;
    unwritten = undefined;
    writtenAt = performance.now();
    if (!(await store.beat(run, progress))) stop.abort(new TakenOver('the job was cancelled or taken over'));
    else if (progress) parts.changed();
  }

  async function fenced<T>(work: (tx: JobTx) => Promise<T>): Promise<T> {
    const result = await inTransaction(connection, async (session) => {
      // First, so that the whole transaction stands on a lease that is still this run's.
      if (!(await store.beat(run, undefined, session)))
        throw new TakenOver('the job was cancelled or taken over');
      return await work(txOf(session));
    });
    parts.committed();
    return result;
  }

  function txOf(session: mongo.ClientSession): JobTx {
    return {
      session,
      db: connection.getClient().db(connection.name),
      emit: (...events) => parts.emit(session, events),
      enqueue: (job) => parts.enqueue(session, { ...job, org: row.org_id }),
    };
  }

  return {
    context: {
      org: row.org_id,
      jobId: row._id,
      attempt: row.attempts,
      signal: stop.signal,
      log: parts.log,
      connection,
      async progress(done, total, message) {
        unwritten = { done, total, message };
        // What comes sooner waits for the next beat or report.
        if (performance.now() - writtenAt >= PROGRESS_MS) await write();
      },
      transaction: fenced,
    },
    beat: write,
  };
}
