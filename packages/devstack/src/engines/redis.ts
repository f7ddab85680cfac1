import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { spawnChild } from '../processes/child.ts';
import { supervise } from '../processes/supervisor.ts';
import type { Engine, Place } from './engine.ts';
import { whenReady } from './readiness.ts';

/**
 * Runs a Redis of our own: loopback only, append-only file, nothing evicted.
 * @param program path of redis-server
 * @returns the engine, answering; `way` and `detail` are the caller's to say
 * @throws Error when it does not answer within 20 s
 */
export async function startRedis(program: string, place: Place): Promise<Omit<Engine, 'way' | 'detail'>> {
  const port = await place.port('redis');
  const logFile = join(place.logDir, 'redis.log');
  const uri = `redis://127.0.0.1:${port}`;
  const args = Object.entries(settings(port, place.dataDir)).flatMap(([key, value]) => [`--${key}`, value]);
  mkdirSync(place.dataDir, { recursive: true });
  const supervised = supervise({
    name: 'redis',
    report: place.report,
    launch: () => {
      const child = spawnChild({ name: 'redis', command: program, args, logFile, cwd: place.dataDir });
      return whenReady(child, () => pingRedis(uri), 20_000, logFile);
    },
  });
  await supervised.start();
  return { name: 'redis', uri, start: supervised.start, stop: supervised.stop, kill: supervised.kill };
}

/**
 * Asks a Redis whether it serves.
 * @param uri redis:// or rediss:// URL
 * @returns its version
 * @throws Error when it does not answer, or still loads its data
 */
export async function pingRedis(uri: string): Promise<string> {
  const client = new Redis(uri, {
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: 2_000,
    disconnectTimeout: 100,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.ping();
    return /redis_version:(\S+)/.exec(await client.info('server'))?.[1] ?? 'of unknown version';
  } finally {
    client.disconnect();
  }
}

function settings(port: number, dir: string): Record<string, string> {
  return {
    port: String(port),
    bind: '127.0.0.1',
    dir,
    daemonize: 'no',
    appendonly: 'yes',
    save: '',
    'maxmemory-policy': 'noeviction',
  };
}
