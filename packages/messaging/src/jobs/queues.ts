import { Queue } from 'bullmq';
import type { Logger } from 'pino';
import type { JobKind } from './kind.ts';
import type { RedisClients } from './redis.ts';

/** What Redis carries of a job. */
export interface ScheduledJob {
  id: string;
  kind: string;
  generation: number;
  /** Not to be run earlier. */
  runAt: Date;
}

/** One queue per kind in Redis: the scheduler, and nothing but that. */
export interface JobQueues {
  /** Schedules a generation of a job; a second time changes nothing. */
  add(job: ScheduledJob): Promise<void>;
  /** Whether Redis still means to run this generation. */
  has(job: Omit<ScheduledJob, 'runAt'>): Promise<boolean>;
  /** Jobs of a kind that wait for a worker. */
  waiting(kind: string): Promise<number>;
  /** True when Redis has lost what the last call left there: it was wiped. */
  wiped(): Promise<boolean>;
  close(): Promise<void>;
}

/** A finished entry is only of use to operators. */
export const KEPT = {
  removeOnComplete: { age: 600, count: 1_000 },
  removeOnFail: { age: 86_400, count: 1_000 },
};
const UNFINISHED = new Set(['active', 'delayed', 'prioritized', 'waiting', 'waiting-children']);

export const queueName = (service: string, kind: string) => `${service}-${kind}`;

export function createJobQueues(parts: {
  service: string;
  redis: RedisClients;
  prefix: string;
  kinds: readonly JobKind[];
  log: Logger;
}): JobQueues {
  const { service, prefix } = parts;
  const client = parts.redis.scheduling;
  const queues = new Map(parts.kinds.map(({ kind }) => [kind, createQueue(kind)]));
  const marker = `${prefix}:${service}:jobs-known`;

  function createQueue(kind: string): Queue {
    const queue = new Queue(queueName(service, kind), {
      connection: client,
      prefix,
      defaultJobOptions: KEPT,
      // Asking Redis for its version once, in a moment it is away, would leave the queue unusable for ever.
      skipVersionCheck: true,
      skipWaitingForReady: true,
    });
    return queue.on('error', (err) => parts.log.debug({ err, kind }, 'a job queue lost Redis'));
  }

  function queueOf(kind: string): Queue {
    const queue = queues.get(kind);
    if (!queue) throw new Error(`No kind of job is called ${kind} in this service`);
    return queue;
  }

  return {
    async add(job) {
      const delay = Math.max(0, job.runAt.getTime() - Date.now());
      const data = { id: job.id, generation: job.generation };
      await queueOf(job.kind).add(job.kind, data, { jobId: entryId(job), delay });
    },
    async has(job) {
      const entry = await queueOf(job.kind).getJob(entryId(job));
      return entry !== undefined && UNFINISHED.has(await entry.getState());
    },
    waiting: (kind) => queueOf(kind).getWaitingCount(),
    async wiped() {
      return (await client.set(marker, '1', 'NX')) !== null;
    },
    async close() {
      for (const queue of queues.values()) await queue.close().catch(() => undefined);
    },
  };
}

const entryId = (job: Omit<ScheduledJob, 'runAt'>) => `${job.kind}-${job.id}-g${job.generation}`;
