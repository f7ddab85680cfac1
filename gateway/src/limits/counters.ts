import { once } from 'node:events';
import { AppError, type Logger } from '@muster/service-kit';
import type { Response } from 'express';
import { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { RateLimiterRedis } from 'rate-limiter-flexible';

const WINDOW_S = 60;
/** A gateway counts so much of a limit by itself before it tells the others: what limits are exact to, for each of them. */
const ALONE = 0.01;
/** What the others have counted is asked for again after this. */
const FRESH_MS = 1_000;
const MAX_KEPT = 50_000;

/** How a caller stands in this minute. */
export interface Count {
  limit: number;
  remaining: number;
  resetS: number;
  exceeded: boolean;
}

export interface Counter {
  /** Counts one more; exceeded past the limit. */
  add(key: string): Count | Promise<Count>;
  /** Counts nothing; exceeded at the limit. */
  read(key: string): Count | Promise<Count>;
}
export type Counters = (kind: string, limit: number) => Counter;

/** What is known of a key in its minute; moments are on the clock of `performance.now()`. */
interface Tally {
  /** By all gateways, as Redis said last. */
  told: number;
  /** Here, not sent to Redis yet; and sent, but not answered yet. */
  own: number;
  sent: number;
  endsAt: number;
  askAt: number;
  /** Redis did not answer: it is not asked again before. */
  awayUntil: number;
}

/**
 * Makes counters over windows of a minute. Each gateway counts by itself and settles with Redis, for all of them, once a
 * second or after a hundredth of the limit; where that is less than one request, at each. While Redis is away the own
 * count goes on, and Redis is told when it is back.
 */
export function createCounters(redis: Redis, prefix: string): Counters {
  return (kind, limit) => {
    const shared = new RateLimiterRedis({
      keyPrefix: `${prefix}:rate:${kind}`,
      points: limit,
      duration: WINDOW_S,
      storeClient: redis,
      rejectIfRedisNotReady: true,
    });
    const alone = Math.floor(limit * ALONE);
    const tallies = new LRUCache<string, Tally>({ max: MAX_KEPT });

    function tallyOf(key: string, now: number): Tally {
      const known = tallies.get(key);
      if (known && now < known.endsAt) return known;
      const tally = { told: 0, own: 0, sent: 0, endsAt: now + WINDOW_S * 1000, askAt: 0, awayUntil: 0 };
      tallies.set(key, tally);
      return tally;
    }

    /** Tells Redis what was counted here and takes its number over. Answers that; while Redis is away, the own one. */
    async function settle(key: string, tally: Tally): Promise<number> {
      const points = tally.own;
      tally.own = 0;
      tally.sent += points;
      tally.askAt = performance.now() + FRESH_MS;
      try {
        const state = points > 0 ? await shared.penalty(key, points) : await shared.get(key);
        tally.told = state?.consumedPoints ?? 0;
        if (state) tally.endsAt = performance.now() + state.msBeforeNext;
        return tally.told;
      } catch {
        tally.own += points;
        tally.awayUntil = performance.now() + FRESH_MS;
        return tally.told + tally.own;
      } finally {
        tally.sent -= points;
      }
    }

    const isDue = (tally: Tally, now: number) =>
      tally.sent === 0 && now >= tally.awayUntil && (tally.own > alone || now >= tally.askAt);

    function counted(key: string, points: 0 | 1): Count | Promise<Count> {
      const now = performance.now();
      const tally = tallyOf(key, now);
      const count = (used: number): Count => ({
        limit,
        remaining: Math.max(0, limit - used),
        resetS: Math.max(1, Math.ceil((tally.endsAt - now) / 1000)),
        exceeded: points === 1 ? used > limit : used >= limit,
      });
      // The rest of the minute is refused without asking.
      if (tally.told > limit) return count(tally.told);
      tally.own += points;
      if (alone === 0) return settle(key, tally).then(count);
      if (isDue(tally, now)) void settle(key, tally);
      return count(tally.told + tally.sent + tally.own);
    }

    return { add: (key) => counted(key, 1), read: (key) => counted(key, 0) };
  };
}

/** Says on an answer what is left. */
export function showCount(response: Response, count: Count): void {
  response.setHeader('RateLimit-Limit', count.limit);
  response.setHeader('RateLimit-Remaining', count.remaining);
  response.setHeader('RateLimit-Reset', count.resetS);
}

/** The answer to one request too many. `what` are the requests, in words. */
export function tooMany(count: Count, what: string): AppError {
  return new AppError(
    'rate-limited',
    `More than ${count.limit} ${what} in a minute: try again in ${count.resetS} s.`,
    { headers: { 'retry-after': String(count.resetS) } },
  );
}

const FIRST_WAIT_MS = 1_000;
const RECONNECT_MS = 2_000;

/**
 * The connection that gateways share their counters through. It never holds a request up: commands fail at once
 * while Redis is away, and within 300 ms while it hangs. An outage is logged once, and so is its end.
 */
export async function connectRedis(url: string, log: Logger): Promise<Redis> {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 300,
    socketTimeout: 1_000,
    connectTimeout: 2_000,
    retryStrategy: (times) => Math.min(times * 100, RECONNECT_MS),
  });
  let away = false;
  redis.on('error', (err) => {
    if (!away)
      log.warn({ err }, 'Redis is away: rate limits are counted in this process alone until it is back');
    away = true;
  });
  redis.on('ready', () => {
    if (away) log.info('Redis is back');
    away = false;
  });
  await once(redis, 'ready', { signal: AbortSignal.timeout(FIRST_WAIT_MS) }).catch(() => undefined);
  return redis;
}
