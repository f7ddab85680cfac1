import { once } from 'node:events';
import type { Logger } from '@muster/service-kit';
import { Redis } from 'ioredis';

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
