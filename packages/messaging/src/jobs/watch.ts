import type { Job } from '@muster/contracts';
import type { mongo } from 'mongoose';
import type { Logger } from 'pino';
import { createLoop } from '../process/loop.ts';
import { FINISHED, type StoredJob, toJob } from './job.ts';

type Listener = (job: StoredJob) => void;

/** Follows jobs: one query per interval for all that are followed in this process, and at once after local changes. */
export interface JobWatch {
  start(): void;
  /** Says that a job changed in this process. */
  changed(id: string): void;
  /** The job now and each time it changes, until it has ended or the signal aborts. */
  watch(org: string, id: string, signal: AbortSignal): AsyncIterable<Job>;
  stop(): Promise<void>;
}

export function createJobWatch(parts: {
  jobs: mongo.Collection<StoredJob>;
  everyMs: number;
  log: Logger;
}): JobWatch {
  const listeners = new Map<string, Set<Listener>>();

  async function pass(): Promise<void> {
    if (listeners.size === 0) return;
    const rows = parts.jobs.find({ _id: { $in: [...listeners.keys()] } });
    for await (const row of rows) for (const listener of listeners.get(row._id) ?? []) listener(row);
  }
  const loop = createLoop({ name: 'job watch', everyMs: parts.everyMs, log: parts.log, pass });

  function listen(id: string, listener: Listener): () => void {
    const own = listeners.get(id) ?? new Set();
    listeners.set(id, own.add(listener));
    return () => {
      own.delete(listener);
      if (own.size === 0 && listeners.get(id) === own) listeners.delete(id);
    };
  }

  async function* watch(org: string, id: string, signal: AbortSignal): AsyncGenerator<Job> {
    let latest: StoredJob | null = null;
    let wake = () => {};
    const unlisten = listen(id, (row) => {
      if (row.org_id === org) latest = row;
      wake();
    });
    const stop = () => wake();
    signal.addEventListener('abort', stop);
    try {
      latest = await parts.jobs.findOne({ _id: id, org_id: org });
      let told = '';
      while (latest && !signal.aborted) {
        const job = toJob(latest);
        const now = JSON.stringify(job);
        if (now !== told) {
          told = now;
          yield job;
          if (FINISHED.has(job.status)) return;
          continue;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      unlisten();
      signal.removeEventListener('abort', stop);
    }
  }

  return {
    start: loop.start,
    changed(id) {
      if (listeners.has(id)) loop.nudge();
    },
    watch,
    stop: loop.stop,
  };
}
