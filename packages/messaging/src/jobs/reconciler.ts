import type { mongo } from 'mongoose';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics.ts';
import type { Timings } from '../options.ts';
import type { Lease } from '../process/lease.ts';
import { createLoop, type Loop } from '../process/loop.ts';
import type { JobStore } from './job.store.ts';
import type { StoredJob } from './job.ts';
import type { JobKind } from './kind.ts';
import { failureOf, vanished } from './problem.rules.ts';
import type { JobQueues } from './queues.ts';
import type { RedisClients } from './redis.ts';
import type { Schedules } from './schedules.ts';

const PAGE = 500;

/**
 * Makes jobs of schedules that are due, and brings jobs back that Redis lost or whose worker vanished. A run's lease is stale when its beat stands still between
 * two looks at least `leaseStaleMs` of this process's own clock apart; no clocks are compared.
 */
export function createReconciler(parts: {
  jobs: mongo.Collection<StoredJob>;
  store: JobStore;
  schedules: Schedules;
  queues: JobQueues;
  redis: RedisClients;
  kinds: ReadonlyMap<string, JobKind>;
  lease: Lease;
  timings: Timings;
  metrics: Metrics;
  log: Logger;
  changed(id: string): void;
  nudge(): void;
}): Loop {
  const { jobs, store, queues, timings, log } = parts;
  let beats = new Map<string, { lease: string; at: number }>();
  let askedAt = 0;
  const ofOurKinds = { kind: { $in: [...parts.kinds.keys()] } };

  async function pass(): Promise<void> {
    // Beats are looked at by everyone: whoever takes the lease over knows at once which of them stand still.
    const standing = await standingStill();
    if (!parts.lease.held()) return;
    await parts.schedules.enqueueDue();
    for (const row of standing) await cutOff(row);
    if (parts.redis.ready()) await bringBackLost();
    parts.nudge();
  }

  async function standingStill(): Promise<StoredJob[]> {
    const seen: typeof beats = new Map();
    const standing: StoredJob[] = [];
    for await (const row of jobs.find({ state: 'running', ...ofOurKinds })) {
      const lease = `${row.generation}|${row.lease?.owner}|${row.lease?.beat}`;
      const before = beats.get(row._id);
      const at = before?.lease === lease ? before.at : performance.now();
      if (performance.now() - at >= timings.leaseStaleMs) standing.push(row);
      seen.set(row._id, { lease, at });
    }
    beats = seen;
    return standing;
  }

  async function cutOff(row: StoredJob): Promise<void> {
    const run = { id: row._id, generation: row.generation };
    const over = row.attempts >= (parts.kinds.get(row.kind)?.attempts ?? 1);
    const { problem } = failureOf(vanished(row.attempts), { id: row._id, requestId: row.request_id });
    log.warn({ job: row._id, kind: row.kind, attempts: row.attempts, over }, 'the worker of a job vanished');
    const matched = over
      ? await store.fail(run, problem)
      : await store.requeue(run, { delayMs: 0, burned: true });
    if (!matched) return;
    parts.metrics.jobs.inc({ kind: row.kind, state: over ? 'failed' : 'retried' });
    parts.changed(row._id);
  }

  async function bringBackLost(): Promise<void> {
    // After a wipe nothing that was scheduled is there any more, after a crash not the last of it, however young.
    const forgot = (await queues.wiped()) || parts.redis.restarted();
    if (!forgot && performance.now() - askedAt < timings.overdueMs / 2) return;
    askedAt = performance.now();
    const since = new Date(Date.now() - (forgot ? 0 : timings.overdueMs));
    let after = '';
    for (;;) {
      const rows = await jobs
        .find({ state: 'queued', _id: { $gt: after }, unscheduled: { $exists: false }, ...ofOurKinds })
        .sort({ _id: 1 })
        .limit(PAGE)
        .toArray();
      for (const row of rows.filter(({ run_at }) => run_at <= since)) await askRedis(row);
      const last = rows.at(-1);
      if (rows.length < PAGE || !last) return;
      after = last._id;
    }
  }

  async function askRedis(row: StoredJob): Promise<void> {
    const job = { id: row._id, kind: row.kind, generation: row.generation };
    if (await queues.has(job)) return;
    const matched = await store.requeue(job, { delayMs: 0, burned: true });
    if (matched) log.warn({ job: row._id, kind: row.kind }, 'Redis lost a job; it is scheduled again');
  }

  return createLoop({ name: 'job reconciler', everyMs: timings.reconcileMs, log, pass });
}
