import type { mongo } from 'mongoose';
import type { Logger } from 'pino';
import type { Timings } from '../options.ts';
import { createLoop, type Loop } from '../process/loop.ts';
import type { JobStore } from './job.store.ts';
import type { StoredJob } from './job.ts';
import type { JobKind } from './kind.ts';
import type { JobQueues } from './queues.ts';
import type { RedisClients } from './redis.ts';

const PAGE = 200;
/** Every commit nudges; most of them order no job. */
const REST_MS = 50;

/**
 * Tells Redis of the jobs that the database says it does not know yet: new ones, repeated ones, and those the
 * reconciler found lost. Any process may do so, several at once; while Redis is away they wait in the database.
 */
export function createDispatcher(parts: {
  jobs: mongo.Collection<StoredJob>;
  store: JobStore;
  queues: JobQueues;
  redis: RedisClients;
  kinds: ReadonlyMap<string, JobKind>;
  timings: Timings;
  log: Logger;
}): Loop {
  const kinds = [...parts.kinds.keys()];

  async function pass(): Promise<void> {
    if (!parts.redis.ready()) return;
    const rows = await parts.jobs
      .find({ unscheduled: true, kind: { $in: kinds } })
      .limit(PAGE)
      .toArray();
    await Promise.all(rows.map(schedule));
    if (rows.length === PAGE) loop.nudge();
  }

  async function schedule(row: StoredJob): Promise<void> {
    const job = { id: row._id, kind: row.kind, generation: row.generation };
    await parts.queues.add({ ...job, runAt: row.run_at });
    await parts.store.scheduled(job);
  }

  const loop = createLoop({
    name: 'job dispatcher',
    everyMs: parts.timings.dispatchPollMs,
    restMs: REST_MS,
    log: parts.log,
    pass,
  });
  return loop;
}
