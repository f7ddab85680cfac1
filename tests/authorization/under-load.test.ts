import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient, identityApi, SCOPE_NAMES } from '@muster/contracts';
import { type Product, startProduct } from '@muster/testing';
import { ENDPOINTS } from './calls.ts';

// Tokens are revoked and signing keys are rotated while everybody works: only who is meant notices.

const IDENTITY = fileURLToPath(new URL('../../services/identity/', import.meta.url));
const secrets = {
  SERVICE_SECRET: randomBytes(32).toString('base64url'),
  KEY_ENCRYPTION_KEY: `test:${randomBytes(32).toString('base64')}`,
};
let product: Product;
beforeAll(async () => {
  product = await startProduct('under-load', secrets);
}, 120_000);
afterAll(async () => product?.stop());

/** One list of each service: what a token must open everywhere. */
const paths = [
  ...new Map(
    ENDPOINTS.filter(
      ({ endpoint }) =>
        endpoint.method === 'GET' && !endpoint.params && endpoint.scope && endpoint.responses[200],
    ).map(({ service, endpoint }) => [service, endpoint.path]),
  ).values(),
];

const newToken = async (name: string) =>
  (
    await createClient(identityApi, { baseUrl: product.url }).createToken({
      body: { name, scopes: [...SCOPE_NAMES] },
    })
  ).body;

interface Seen {
  path: string;
  status: number;
  at: number;
}

/** Asks every service with a token, again and again, until told to end. */
function askAll(token: string): { seen: Seen[]; end(): Promise<void> } {
  const seen: Seen[] = [];
  let going = true;
  const ask = async (path: string) => {
    while (going) {
      const at = performance.now();
      const answer = await fetch(product.url + path, { headers: { authorization: `Bearer ${token}` } });
      await answer.body?.cancel();
      seen.push({ path, status: answer.status, at });
      await pause(20);
    }
  };
  const asking = Promise.all(paths.map(ask));
  return {
    seen,
    async end() {
      going = false;
      await asking;
    },
  };
}

const statuses = (seen: Seen[]) => [...new Set(seen.map(({ status }) => status))];

test('the same token opens every service', async () => {
  expect(paths.length).toBeGreaterThan(1);
  const load = askAll((await newToken('everywhere')).token);
  await pause(500);
  await load.end();
  expect(statuses(load.seen)).toEqual([200]);
});

test('a revoked token is refused by every service within 5 s, and nobody else notices', async () => {
  const [doomed, other] = [await newToken('doomed'), await newToken('other')];
  const [ending, going] = [askAll(doomed.token), askAll(other.token)];
  await pause(1_000);
  expect(statuses(ending.seen)).toEqual([200]);
  await createClient(identityApi, { baseUrl: product.url }).revokeToken({ params: { id: doomed.id } });
  const revoked = performance.now();
  await pause(6_000);
  await Promise.all([ending.end(), going.end()]);
  for (const path of paths) {
    const late = ending.seen.filter((one) => one.path === path && one.at > revoked + 5_000);
    expect(late.length).toBeGreaterThan(0);
    expect(statuses(late)).toEqual([401]);
  }
  expect(statuses(going.seen)).toEqual([200]);
});

test('keys rotate without anybody being logged out', async () => {
  const before = askAll((await newToken('before')).token);
  await pause(500);
  const { engines } = product;
  const { stdout } = await promisify(execFile)(process.execPath, ['src/keys.command.ts', 'rotate'], {
    cwd: IDENTITY,
    env: {
      ...process.env,
      ...secrets,
      MUSTER_MODE: 'development',
      LOG_LEVEL: 'silent',
      MONGODB_URI: engines.mongodbUri,
      MONGODB_DB: `${engines.mongodbDb}_identity`,
      AMQP_URL: engines.amqpUrl,
      REDIS_URL: engines.redisUrl,
      REDIS_PREFIX: engines.redisPrefix,
      JWKS_URL: `${product.addressOf('identity')}/.well-known/jwks.json`,
    },
  });
  expect(stdout).toContain('signs from now on');
  const after = askAll((await newToken('after')).token);
  await pause(1_500);
  await Promise.all([before.end(), after.end()]);
  expect(statuses(before.seen)).toEqual([200]);
  expect(statuses(after.seen)).toEqual([200]);
});
