import type { Emit } from '../outbox/emit.ts';
import { createLease } from '../process/lease.ts';
import { within } from '../process/loop.ts';
import type { Check, Parts } from '../process/part.ts';
import { createDispatcher } from './dispatcher.ts';
import type { Enqueue } from './enqueue.ts';
import { createJobStore } from './job.store.ts';
import { createJobs, type Jobs } from './jobs.ts';
import { createJobQueues } from './queues.ts';
import { createReconciler } from './reconciler.ts';
import { createRedisClients } from './redis.ts';
import { createRunner } from './runner.ts';
import { createSchedules, type Schedules } from './schedules.ts';
import { createJobWatch } from './watch.ts';
import { createJobWorkers } from './workers.ts';

/** All of jobs: scheduling everywhere, running where the role says so. A service without jobs needs no Redis. */
export interface JobEngine {
  jobs: Jobs;
  schedules: Schedules;
  start(): void;
  nudge(): void;
  checkAlive(): Promise<void>;
  health(): Check & { refused?: true };
  /** Takes no more jobs; those under way have `patienceMs` before they are told to stop. */
  drain(patienceMs: number): Promise<void>;
  close(): Promise<void>;
}

export function createJobEngine(parts: Parts, ports: { emit: Emit; enqueue: Enqueue }): JobEngine {
  const { options, collections, timings, log, owner } = parts;
  const { connection } = options;
  const rows = collections.jobs;
  const store = createJobStore(rows);
  const watching = createJobWatch({ jobs: rows, everyMs: timings.watchMs, log });
  const runner = createRunner({
    ...parts,
    ...ports,
    store,
    connection,
    requestContext: options.requestContext,
    changed: watching.changed,
  });
  const jobs = createJobs({ ...parts, rows, store, watching, cancelled: runner.cancelled });
  const kinds = new Map(options.jobs.map((kind) => [kind.kind, kind]));
  const schedules = createSchedules({ ...collections, kinds, connection, enqueue: ports.enqueue, log });
  if (kinds.size === 0) return withoutJobs(jobs, schedules);

  let dispatch = () => {};
  const { service } = options;
  const prefix = options.redisPrefix.replace(/(?<!:):+$/, '');
  const redis = createRedisClients({ url: options.redisUrl, log, onReady: () => dispatch() });
  const queues = createJobQueues({ service, redis, prefix, kinds: options.jobs, log });
  const workers = createJobWorkers({
    service,
    redis,
    prefix,
    queues,
    log,
    kinds: options.role === 'api' ? [] : options.jobs,
    run: runner.run,
  });
  const dispatcher = createDispatcher({ jobs: rows, store, queues, redis, kinds, timings, log });
  dispatch = dispatcher.nudge;
  const lease = createLease({ leases: collections.leases, name: 'job-reconciler', owner, timings, log });
  const reconciler = createReconciler({
    ...parts,
    jobs: rows,
    store,
    schedules,
    queues,
    redis,
    kinds,
    lease,
    changed: watching.changed,
    nudge: dispatcher.nudge,
  });

  return {
    jobs,
    schedules,
    start() {
      watching.start();
      dispatcher.start();
      lease.start();
      reconciler.start();
      workers.start();
    },
    nudge: dispatcher.nudge,
    checkAlive: () => workers.checkAlive(timings.watchdogMs),
    health: redis.status,
    async drain(patienceMs) {
      const finished = Promise.all([workers.drain(), runner.idle()]);
      await within(patienceMs, 'jobs were under way', finished).catch(() => undefined);
      runner.interrupt();
      await runner.idle();
    },
    async close() {
      await reconciler.stop();
      await lease.stop();
      await dispatcher.stop();
      await workers.close();
      await queues.close();
      await watching.stop();
      redis.disconnect();
    },
  };
}

function withoutJobs(jobs: Jobs, schedules: Schedules): JobEngine {
  return {
    jobs,
    schedules,
    start() {},
    nudge() {},
    async checkAlive() {},
    health: () => ({ status: 'ok', detail: 'not used: this service has no jobs' }),
    async drain() {},
    async close() {},
  };
}
