import type { Job, Problem } from '@muster/contracts';
import type { mongo } from 'mongoose';
import type { StoredJob } from './job.ts';

/** One run of a job: what every write of it must still match. */
export interface Run {
  id: string;
  generation: number;
  owner: string;
}

type Progress = Job['progress'];

/** The compare-and-sets of a job's life. Each says whether it matched; a run that was taken over matches nothing. */
export interface JobStore {
  /** queued → running. */
  claim(run: Run): Promise<StoredJob | null>;
  /** Says that the run is alive, with its progress where there is some. */
  beat(run: Run, progress?: Progress, session?: mongo.ClientSession): Promise<boolean>;
  /** running → succeeded. */
  succeed(run: Run, result: Job['result']): Promise<boolean>;
  /** running → failed. */
  fail(run: Omit<Run, 'owner'>, problem: Problem): Promise<boolean>;
  /** running or queued → queued, to be scheduled as the next generation. */
  requeue(
    run: Omit<Run, 'owner'>,
    next: { delayMs: number; problem?: Problem; burned: boolean },
  ): Promise<boolean>;
  /** queued or running → cancelled. @returns the job, or null when it was over or is not there */
  cancel(org: string, id: string): Promise<StoredJob | null>;
  /** Redis knows this generation. */
  scheduled(job: { id: string; generation: number }): Promise<void>;
}

export function createJobStore(jobs: mongo.Collection<StoredJob>): JobStore {
  const own = (run: Run) => ({
    _id: run.id,
    state: 'running' as const,
    generation: run.generation,
    'lease.owner': run.owner,
  });
  const current = (run: Omit<Run, 'owner'>) => ({ _id: run.id, generation: run.generation });

  return {
    claim: (run) =>
      jobs.findOneAndUpdate(
        { ...current(run), state: 'queued' },
        {
          $set: { state: 'running', lease: { owner: run.owner, beat: 0 }, started_at: new Date() },
          $inc: { attempts: 1 },
          $unset: { unscheduled: '' },
        },
        { returnDocument: 'after' },
      ),
    async beat(run, progress, session) {
      const $set = progress && { $set: { progress } };
      const beaten = await jobs.updateOne(own(run), { $inc: { 'lease.beat': 1 }, ...$set }, { session });
      return beaten.matchedCount === 1;
    },
    async succeed(run, result) {
      const end = { state: 'succeeded' as const, result, error: null, lease: null, finished_at: new Date() };
      return (await jobs.updateOne(own(run), { $set: end })).matchedCount === 1;
    },
    async fail(run, problem) {
      const end = { state: 'failed' as const, error: problem, lease: null, finished_at: new Date() };
      const filter = { ...current(run), state: 'running' as const };
      return (await jobs.updateOne(filter, { $set: end })).matchedCount === 1;
    },
    async requeue(run, { delayMs, problem, burned }) {
      const filter = { ...current(run), state: { $in: ['queued' as const, 'running' as const] } };
      const requeued = await jobs.updateOne(filter, {
        $set: {
          state: 'queued',
          lease: null,
          unscheduled: true,
          run_at: new Date(Date.now() + delayMs),
          ...(problem && { error: problem }),
        },
        $inc: { generation: 1, ...(burned ? {} : { attempts: -1 }) },
      });
      return requeued.matchedCount === 1;
    },
    cancel: (org, id) =>
      jobs.findOneAndUpdate(
        { _id: id, org_id: org, state: { $in: ['queued', 'running'] } },
        { $set: { state: 'cancelled', lease: null, finished_at: new Date() }, $unset: { unscheduled: '' } },
        { returnDocument: 'after' },
      ),
    async scheduled({ id, generation }) {
      await jobs.updateOne({ _id: id, generation }, { $unset: { unscheduled: '' } });
    },
  };
}
