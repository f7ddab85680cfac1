import type { Job } from '@muster/contracts';
import type { mongo } from 'mongoose';
import type { Metrics } from '../metrics.ts';
import type { JobStore } from './job.store.ts';
import { FINISHED, type StoredJob, toJob } from './job.ts';
import type { JobWatch } from './watch.ts';

/** An organization's view of its jobs. */
export interface Jobs {
  /** The job, or null when this organization has none with this id. */
  get(org: string, id: string): Promise<Job | null>;
  /** Ends a job that waits or runs; its run is told to stop and changes nothing any more. Null when it had ended, or is not there. */
  cancel(org: string, id: string): Promise<Job | null>;
  /** The job now and each time it changes, until it has ended or the signal aborts. */
  watch(org: string, id: string, signal: AbortSignal): AsyncIterable<Job>;
  /** The job as it is when it ends, or after `ms`. @throws Error when there is no such job */
  wait(org: string, id: string, ms: number, signal: AbortSignal): Promise<Job>;
}

export function createJobs(parts: {
  rows: mongo.Collection<StoredJob>;
  store: JobStore;
  watching: JobWatch;
  metrics: Metrics;
  cancelled(id: string): void;
}): Jobs {
  const { rows, store, watching } = parts;

  async function get(org: string, id: string): Promise<Job | null> {
    const row = await rows.findOne({ _id: id, org_id: org });
    return row && toJob(row);
  }

  return {
    get,
    async cancel(org, id) {
      const row = await store.cancel(org, id);
      if (!row) return null;
      parts.metrics.jobs.inc({ kind: row.kind, state: 'cancelled' });
      parts.cancelled(id);
      watching.changed(id);
      return toJob(row);
    },
    watch: watching.watch,
    async wait(org, id, ms, signal) {
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
      for await (const job of watching.watch(org, id, deadline)) {
        if (FINISHED.has(job.status)) return job;
      }
      const job = await get(org, id);
      if (!job) throw new Error(`There is no job ${id}`);
      return job;
    },
  };
}
