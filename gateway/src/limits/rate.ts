import { AppError } from '@muster/service-kit';
import type { Request, RequestHandler } from 'express';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { GatewayConfig } from '../config.ts';
import { addressKey, tokenKey } from './caller.ts';

const WINDOW_S = 60;

interface Count {
  limit: number;
  remaining: number;
  resetS: number;
  exceeded: boolean;
}

/**
 * Counts every request per address, and per token where one is sent, over windows of a minute; says on each answer
 * what is left (the tighter of the two). Raises `rate-limited` with Retry-After when nothing is.
 */
export function rateLimits(
  config: Pick<GatewayConfig, 'rates' | 'REDIS_PREFIX'>,
  redis: Redis,
): RequestHandler {
  const limiter = (kind: 'token' | 'address') => {
    const options = {
      keyPrefix: `${config.REDIS_PREFIX}:rate:${kind}`,
      points: config.rates[kind],
      duration: WINDOW_S,
    };
    return new RateLimiterRedis({
      ...options,
      storeClient: redis,
      rejectIfRedisNotReady: true,
      inMemoryBlockOnConsumed: config.rates[kind] + 1,
      insuranceLimiter: new RateLimiterMemory(options),
    });
  };
  const tokens = limiter('token');
  const addresses = limiter('address');

  const counts = (request: Request): Promise<Count[]> => {
    const token = tokenKey(request);
    return Promise.all([
      consume(addresses, addressKey(request.ip ?? '')),
      ...(token === null ? [] : [consume(tokens, token)]),
    ]);
  };

  return async (request, response, next) => {
    const tightest = (await counts(request)).reduce((a, b) => (isTighter(b, a) ? b : a));
    response.set({
      'RateLimit-Limit': String(tightest.limit),
      'RateLimit-Remaining': String(tightest.remaining),
      'RateLimit-Reset': String(tightest.resetS),
    });
    if (tightest.exceeded) throw tooMany(tightest);
    next();
  };
}

async function consume(limiter: RateLimiterRedis, key: string): Promise<Count> {
  const count = (state: RateLimiterRes, exceeded: boolean) => ({
    limit: limiter.points,
    remaining: Math.max(0, state.remainingPoints),
    resetS: Math.max(1, Math.ceil(state.msBeforeNext / 1000)),
    exceeded,
  });
  try {
    return count(await limiter.consume(key), false);
  } catch (raised) {
    if (raised instanceof RateLimiterRes) return count(raised, true);
    throw raised;
  }
}

function isTighter(a: Count, b: Count): boolean {
  return a.exceeded === b.exceeded ? a.remaining < b.remaining : a.exceeded;
}

function tooMany(count: Count): AppError {
  return new AppError(
    'rate-limited',
    `More than ${count.limit} requests in a minute: try again in ${count.resetS} s.`,
    { headers: { 'retry-after': String(count.resetS) } },
  );
}
