import { AppError } from '@muster/service-kit';
import type { Response } from 'express';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

const WINDOW_S = 60;

/** How a caller stands in this minute. */
export interface Count {
  limit: number;
  remaining: number;
  resetS: number;
  exceeded: boolean;
}

export interface Counter {
  /** Counts one more; exceeded past the limit. */
  add(key: string): Promise<Count>;
  /** Counts nothing; exceeded at the limit. */
  read(key: string): Promise<Count>;
}
export type Counters = (kind: string, limit: number) => Counter;

/** Makes counters over windows of a minute, in Redis for all gateways, in memory for this one while Redis is away. */
export function createCounters(redis: Redis, prefix: string): Counters {
  return (kind, limit) => {
    const options = { keyPrefix: `${prefix}:rate:${kind}`, points: limit, duration: WINDOW_S };
    const limiter = new RateLimiterRedis({
      ...options,
      storeClient: redis,
      rejectIfRedisNotReady: true,
      inMemoryBlockOnConsumed: limit + 1,
      insuranceLimiter: new RateLimiterMemory(options),
    });
    return {
      add: (key) => consume(limiter, key),
      async read(key) {
        const state = await limiter.get(key);
        return countOf(limit, state, state !== null && state.remainingPoints <= 0);
      },
    };
  };
}

async function consume(limiter: RateLimiterRedis, key: string): Promise<Count> {
  try {
    return countOf(limiter.points, await limiter.consume(key), false);
  } catch (raised) {
    if (raised instanceof RateLimiterRes) return countOf(limiter.points, raised, true);
    throw raised;
  }
}

function countOf(limit: number, state: RateLimiterRes | null, exceeded: boolean): Count {
  return {
    limit,
    remaining: Math.max(0, state?.remainingPoints ?? limit),
    resetS: Math.max(1, Math.ceil((state?.msBeforeNext ?? 0) / 1000)),
    exceeded,
  };
}

/** Says on an answer what is left. */
export function showCount(response: Response, count: Count): void {
  response.set({
    'RateLimit-Limit': String(count.limit),
    'RateLimit-Remaining': String(count.remaining),
    'RateLimit-Reset': String(count.resetS),
  });
}

/** The answer to one request too many. `what` are the requests, in words. */
export function tooMany(count: Count, what: string): AppError {
  return new AppError(
    'rate-limited',
    `More than ${count.limit} ${what} in a minute: try again in ${count.resetS} s.`,
    { headers: { 'retry-after': String(count.resetS) } },
  );
}
