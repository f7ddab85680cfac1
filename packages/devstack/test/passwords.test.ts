import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pingMongo } from '../src/engines/mongod.ts';
import { managementApi, pingRabbit } from '../src/engines/rabbitmq.ts';
import { pingRedis } from '../src/engines/redis.ts';
import { type Engines, startEngines } from '../src/index.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const given = { ...process.env };
const said: string[] = [];
let engines: Engines;

// Engines of our own, by whichever way this machine has.
beforeAll(async () => {
  for (const name of ['MONGODB_URI', 'AMQP_URL', 'REDIS_URL']) delete process.env[name];
  engines = await startEngines({ root: ROOT, purpose: 'test', own: true, report: (line) => said.push(line) });
}, 180_000);
afterAll(async () => {
  Object.assign(process.env, given);
  await engines.stop();
}, 60_000);

const PINGS = {
  mongodb: [() => engines.mongodbUri, pingMongo],
  rabbitmq: [() => engines.amqpUrl, (url: string) => pingRabbit(url)],
  redis: [() => engines.redisUrl, pingRedis],
} as const;

/** The URL with another user and password; without any where there is none. */
function as(url: string, user = '', password = ''): string {
  const other = new URL(url);
  other.username = user;
  other.password = password;
  return other.href;
}

test.each(Object.entries(PINGS))('%s is for who knows its password', async (_name, [url, ping]) => {
  expect(await ping(url())).toMatch(/\d/);
  const { username, password } = new URL(url());
  expect(password).toMatch(/^[\da-f]{48}$/);
  await expect(ping(as(url()))).rejects.toThrow();
  await expect(ping(as(url(), username, 'another'))).rejects.toThrow();
  await expect(ping(as(url(), 'guest', 'guest'))).rejects.toThrow();
});

test('the management API is not guest’s either', async () => {
  const statusFor = async (managementUrl: string) => {
    const { url, authorization } = managementApi(managementUrl);
    return (await fetch(`${url}/api/users`, { headers: { authorization } })).status;
  };
  expect(await statusFor(engines.amqpManagementUrl ?? '')).toBe(200);
  expect(await statusFor(as(engines.amqpManagementUrl ?? '', 'guest', 'guest'))).toBe(401);
});

test('no password is said or logged', () => {
  const urls = [engines.mongodbUri, engines.amqpUrl, engines.redisUrl];
  const secrets = urls.map((url) => new URL(url).password);
  const logs = join(ROOT, '.muster', 'log', `test-${process.pid}-1`);
  const texts = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'));
  expect(texts.length).toBeGreaterThan(0);
  for (const text of [...texts, ...said]) for (const secret of secrets) expect(text).not.toContain(secret);
});

test('no password is in the arguments of a process, which others of this machine may read', () => {
  const lines = execFileSync('ps', ['-axww', '-o', 'args='], { encoding: 'utf8' });
  for (const url of [engines.mongodbUri, engines.amqpUrl, engines.redisUrl])
    expect(lines.includes(new URL(url).password)).toBe(false);
});
