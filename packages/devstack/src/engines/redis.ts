import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { spawnChild } from '../processes/child.ts';
import { supervise } from '../processes/supervisor.ts';
import type { Engine, Place } from './engine.ts';
import { whenReady } from './readiness.ts';

/**
 * Runs a Redis of our own: loopback only, with a password, append-only file, nothing evicted.
 * @param program path of redis-server
 * @returns the engine, answering; `way` and `detail` are the caller's to say
 * @throws Error when it does not answer within 20 s
 */
export async function startRedis(program: string, place: Place): Promise<Omit<Engine, 'way' | 'detail'>> {
  const port = await place.port('redis');
  const logFile = join(place.logDir, 'redis.log');
  const password = place.passwords.REDIS_PASSWORD;
  const uri = redisUrl(port, password);
  const args = [writeSettings(place.dataDir, port, password)];
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

/** The URL of a Redis of ours. */
export function redisUrl(port: number, password: string): string {
  return `redis://:${password}@127.0.0.1:${port}`;
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

/** Writes the settings beside the data: others of this machine could read arguments. Answers the file's path. */
function writeSettings(dir: string, port: number, password: string): string {
  const file = join(dir, 'redis.conf');
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `requirepass ${password}`,
    'daemonize no',
    'appendonly yes',
    'save ""',
    'maxmemory-policy noeviction',
  ];
  mkdirSync(dir, { recursive: true });
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  return file;
}
