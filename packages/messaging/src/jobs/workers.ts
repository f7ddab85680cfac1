import { Worker } from 'bullmq';
import type { Logger } from 'pino';
import { within } from '../process/loop.ts';
import type { JobKind } from './kind.ts';
import { type JobQueues, KEPT, queueName } from './queues.ts';
import type { RedisClients } from './redis.ts';

const CLOSE_MS = 2_000;
/** After a lost connection; the library's 15 s are longer than anything here may stay away. */
const RETRY_MS = 1_000;

/** Takes due jobs from Redis, one worker per kind. */
export interface JobWorkers {
  start(): void;
  /** Builds a worker anew that has stood still for `afterMs` although its queue is not empty. */
  checkAlive(afterMs: number): Promise<void>;
  /** Takes no more jobs and waits for those under way. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

export function createJobWorkers(parts: {
  service: string;
  redis: RedisClients;
  prefix: string;
  kinds: readonly JobKind[];
  queues: JobQueues;
  /** Must not reject for what a job does: attempts are counted in the database. */
  run(kind: JobKind, job: { id: string; generation: number }): Promise<void>;
  log: Logger;
}): JobWorkers {
  const { service, redis, log } = parts;
  const workers = new Map<JobKind, { worker: Worker; movedAt: number; active: number }>();

  function create(kind: JobKind): void {
    const entry = { worker: undefined as unknown as Worker, movedAt: performance.now(), active: 0 };
    entry.worker = new Worker(
      queueName(service, kind.kind),
      async ({ data }: { data: { id: string; generation: number } }) => {
        entry.active += 1;
        try {
          await parts.run(kind, data);
        } finally {
          entry.active -= 1;
          entry.movedAt = performance.now();
        }
      },
      {
        connection: redis.working(),
        prefix: parts.prefix,
        concurrency: kind.concurrency,
        runRetryDelay: RETRY_MS,
        ...KEPT,
      },
    );
    entry.worker.on('error', (err) => log.debug({ err, kind: kind.kind }, 'a job worker lost Redis'));
    workers.set(kind, entry);
  }

  async function end(worker: Worker, force: boolean): Promise<void> {
    await within(CLOSE_MS, 'a job worker did not close in time', worker.close(force)).catch(() => {
      worker.disconnect().catch(() => undefined);
    });
  }

  return {
    start() {
      for (const kind of parts.kinds) create(kind);
    },
    async checkAlive(afterMs) {
      for (const [kind, entry] of workers) {
        if (entry.active > 0 || performance.now() - entry.movedAt < afterMs) continue;
        entry.movedAt = performance.now();
        if ((await parts.queues.waiting(kind.kind)) === 0) continue;
        log.warn({ kind: kind.kind }, 'jobs wait and the worker stands still; building it anew');
        await end(entry.worker, true);
        create(kind);
      }
    },
    async drain() {
      // A worker that waits for Redis to come back cannot be asked to finish.
      await Promise.all([...workers.values()].map(({ worker }) => redis.ready() && worker.pause()));
    },
    async close() {
      await Promise.all([...workers.values()].map(({ worker }) => end(worker, !redis.ready())));
      workers.clear();
    },
  };
}
