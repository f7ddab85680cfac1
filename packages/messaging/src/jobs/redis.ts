import { randomUUID } from 'node:crypto';
import { Redis, type RedisOptions } from 'ioredis';
import type { Logger } from 'pino';
import { within } from '../process/loop.ts';

/** The two ways of talking to Redis. */
export interface RedisClients {
  /** Fails at once when Redis is away: the database keeps what was to be scheduled. */
  scheduling: Redis;
  /** Waits for Redis to come back; workers are made on it. */
  working(): Redis;
  ready(): boolean;
  /** Whether this is another run of Redis than when last asked: what it was told last may be forgotten. */
  restarted(): boolean;
  /** `refused`: this Redis must not be used, since it may forget. */
  status(): { status: 'ok' | 'degraded'; detail?: string; refused?: true };
  disconnect(): void;
}

const BEAT_MS = 5_000;
const MAX_MISSED = 3;

const SHARED: RedisOptions = {
  connectTimeout: 5_000,
  // Longer than the longest blocking read, 10 s.
  socketTimeout: MAX_MISSED * BEAT_MS,
  retryStrategy: (times) => Math.min(100 * 2 ** Math.min(times, 10), 2_000),
};

export function createRedisClients(parts: { url: string; log: Logger; onReady(): void }): RedisClients {
  const { url, log } = parts;
  let policy: string | undefined;
  let reason = 'not connected yet';
  let working: Redis | undefined;
  let run: string | undefined;
  let restarted = false;

  const heard = (client: Redis) =>
    client.on('error', (error) => {
      reason = error.message;
      log.debug({ err: error }, 'Redis is away');
    });
  // A connection on which nobody asks would not notice that its other end is gone.
  const beating = setInterval(() => {
    for (const client of [scheduling, working]) if (client?.status === 'ready') void beat(client);
  }, BEAT_MS).unref();
  const missed = new WeakMap<Redis, number>();
  // Answers carry no name: after a command that was lost on the way, each goes to an earlier one, until reconnected.
  async function beat(client: Redis): Promise<void> {
    const word = randomUUID();
    const answer = await within(BEAT_MS, 'Redis missed a beat', client.ping(word)).catch(() => undefined);
    const count = answer === word ? 0 : (missed.get(client) ?? 0) + 1;
    missed.set(client, count);
    if (count === 0 || client.status !== 'ready') return;
    const isOfAnother = answer !== undefined;
    if (!isOfAnother && count < MAX_MISSED) return;
    missed.delete(client);
    client.disconnect(true);
  }
  const scheduling = heard(
    new Redis(url, { ...SHARED, enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 5_000 }),
  );
  scheduling.on('ready', () => {
    parts.onReady();
    about(scheduling).then(
      (found) => {
        restarted ||= run !== undefined && run !== found.run;
        ({ policy, run } = found);
        if (policy !== 'noeviction') log.error({ policy }, EVICTS);
      },
      (err: unknown) => log.debug({ err }, 'Redis told nothing about itself'),
    );
  });

  return {
    scheduling,
    working() {
      working ??= heard(new Redis(url, { ...SHARED, maxRetriesPerRequest: null }));
      return working;
    },
    ready: () => scheduling.status === 'ready',
    restarted() {
      const answer = restarted;
      restarted = false;
      return answer;
    },
    status() {
      if (scheduling.status !== 'ready') return { status: 'degraded', detail: `Redis is away: ${reason}` };
      if (policy !== undefined && policy !== 'noeviction')
        return { status: 'degraded', detail: EVICTS, refused: true };
      return { status: 'ok' };
    },
    disconnect() {
      clearInterval(beating);
      scheduling.disconnect();
      working?.disconnect();
    },
  };
}

const EVICTS = 'Redis may drop jobs when its memory is full: set maxmemory-policy noeviction';

async function about(client: Redis): Promise<{ policy: string | undefined; run: string | undefined }> {
  const told = (await client.info()) ?? '';
  return { policy: /maxmemory_policy:(\S+)/.exec(told)?.[1], run: /run_id:(\S+)/.exec(told)?.[1] };
}
