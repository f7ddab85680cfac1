import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { attempt } from '../src/engines/attempts.ts';
import type { ClosableEngine } from '../src/engines/raise.ts';
import { pingRedis } from '../src/engines/redis.ts';
import { passwords } from '../src/home/secrets.ts';
import { rememberedPorts } from '../src/ports/ports.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'muster-engine-'));
const given = process.env.REDIS_URL;
const said: string[] = [];
const report = (line: string) => said.push(line);
let engine: ClosableEngine;
let client: Redis;

// An engine of our own, by whichever way this machine has: Docker, a program, a package.
beforeAll(async () => {
  delete process.env.REDIS_URL;
  const place = {
    dataDir: directory,
    logDir: directory,
    passwords: passwords(),
    port: rememberedPorts().port,
    report,
  };
  engine = await attempt('redis', { root, purpose: 'test', report }, place);
  client = new Redis(engine.uri, { retryStrategy: () => 100 });
  client.on('error', () => {});
}, 120_000);
afterAll(async () => {
  process.env.REDIS_URL = given;
  await client.quit();
  await engine.close();
  rmSync(directory, { recursive: true });
}, 30_000);

test('it evicts nothing and writes down everything', async () => {
  expect(await client.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
  expect(await client.config('GET', 'appendonly')).toEqual(['appendonly', 'yes']);
  expect(new URL(engine.uri).hostname).toBe('127.0.0.1');
});

test('it comes back from a crash by itself, at the same place, with its data', async () => {
  await client.set('kept', 'through a crash');
  await sleep(1_100); // the file is synced once a second
  const { run_id: before } = await server();
  engine.kill();
  await sleep(100);
  expect(await client.get('kept')).toBe('through a crash');
  expect((await server()).run_id).not.toBe(before);
});

test('stopped it stays down, started it is where it was', async () => {
  await engine.stop();
  await expect(pingRedis(engine.uri)).rejects.toThrow();
  await engine.start();
  expect(await client.get('kept')).toBe('through a crash');
});

async function server(): Promise<Record<string, string>> {
  const lines = (await client.info('server')).split('\r\n').map((line) => line.split(':', 2));
  return Object.fromEntries(lines);
}
