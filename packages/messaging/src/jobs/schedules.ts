import type { Connection, mongo } from 'mongoose';
import type { Logger } from 'pino';
import { isEngineDown } from '../process/engine.ts';
import { inTransaction } from '../store/transaction.ts';
import { checkedPayload, type Enqueue } from './enqueue.ts';
import type { StoredJob } from './job.ts';
import type { JobKind } from './kind.ts';
import { intervalAfter, type NewSchedule, runAfter, type StoredSchedule } from './schedule.ts';

const MOST_MINUTES = 366 * 24 * 60;

/** Work that comes again and again. Which replica looks, and how often, changes nothing: a run is one row changed. */
export interface Schedules {
  /** Sets a schedule as part of a transaction. @returns when it runs next @throws Error as `enqueue` does */
  set(session: mongo.ClientSession, schedule: NewSchedule): Promise<Date>;
  /** Ends a schedule as part of a transaction; a run under way goes on. True when there was one. */
  remove(session: mongo.ClientSession, schedule: Pick<NewSchedule, 'org' | 'id'>): Promise<boolean>;
  /** Makes jobs of what is due. */
  enqueueDue(): Promise<void>;
}

export function createSchedules(parts: {
  schedules: mongo.Collection<StoredSchedule>;
  jobs: mongo.Collection<StoredJob>;
  kinds: ReadonlyMap<string, JobKind>;
  connection: Connection;
  enqueue: Enqueue;
  log: Logger;
}): Schedules {
  const { schedules, jobs, kinds, connection, log } = parts;

  async function run(due: StoredSchedule, now: Date): Promise<void> {
    const { _id, org_id, kind, every_minutes, next_run_at } = due;
    await inTransaction(connection, async (session) => {
      // First, so that whoever is second changes nothing.
      const next = runAfter(next_run_at, now, every_minutes);
      const taken = await schedules.updateOne(
        { _id, next_run_at, paused: false },
        { $set: { next_run_at: next } },
        { session },
      );
      if (taken.matchedCount === 0 || (await underWay(due, session))) return;
      const payload: unknown = JSON.parse(due.payload);
      const job_id = await parts.enqueue(session, { kind, org: org_id, payload });
      await schedules.updateOne({ _id }, { $set: { job_id } }, { session });
    });
  }

  /** A run that takes longer than its interval, or waits for a worker, stands for the next one too. */
  async function underWay({ job_id }: StoredSchedule, session: mongo.ClientSession): Promise<boolean> {
    if (job_id === null) return false;
    const unfinished = { _id: job_id, state: { $in: ['queued' as const, 'running' as const] } };
    return (await jobs.findOne(unfinished, { session, projection: { _id: 1 } })) !== null;
  }

  return {
    async set(session, { id, org, kind, payload, everyMinutes, next, paused = false }) {
      requireTransaction(session);
      const checked = checkedPayload(kinds, { kind, payload });
      if (!(everyMinutes > 0 && everyMinutes <= MOST_MINUTES))
        throw new Error(`A schedule comes every 1 to ${MOST_MINUTES} minutes, not every ${everyMinutes}`);
      const _id = idOf(org, id);
      const known = await schedules.findOne({ _id }, { session });
      const kept = known?.every_minutes === everyMinutes ? known.next_run_at : undefined;
      const next_run_at = next ?? kept ?? intervalAfter(new Date(), everyMinutes);
      const row = { org_id: org, kind, payload: checked, every_minutes: everyMinutes };
      await schedules.updateOne(
        { _id },
        { $set: { ...row, next_run_at, paused }, $setOnInsert: { job_id: null } },
        { session, upsert: true },
      );
      return next_run_at;
    },
    async remove(session, { org, id }) {
      requireTransaction(session);
      return (await schedules.deleteOne({ _id: idOf(org, id) }, { session })).deletedCount === 1;
    },
    async enqueueDue() {
      const now = new Date();
      const due = { next_run_at: { $lte: now }, paused: false, kind: { $in: [...kinds.keys()] } };
      for await (const row of schedules.find(due).sort({ next_run_at: 1 })) {
        // One that cannot be run must not hold back those after it.
        await run(row, now).catch((err: unknown) => {
          if (isEngineDown(err)) throw err;
          log.error({ err, schedule: row._id, kind: row.kind }, 'a scheduled job could not be enqueued');
        });
      }
    },
  };
}

const idOf = (org: string, id: string) => `${org}/${id}`;

function requireTransaction(session: mongo.ClientSession): void {
  if (!session.inTransaction())
    throw new Error('A schedule is set in the transaction of the command that wants it');
}
