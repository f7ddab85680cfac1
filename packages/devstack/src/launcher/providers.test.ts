import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { checkoutPasswords, checkoutSecrets } from '../home/secrets.ts';
import { providersOf } from './providers.ts';

const MINE = /^(PROVIDER_|MUSTER_MODE$|PUBLIC_ORIGIN$|SERVICE_SECRET$|KEY_ENCRYPTION_KEY$)/;
const before = { ...process.env };
let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'muster-providers-'));
  for (const name of Object.keys(process.env)) if (MINE.test(name)) delete process.env[name];
});
afterEach(() => {
  rmSync(root, { recursive: true });
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});

const namesOf = (programs: { name: string }[]) => programs.map(({ name }) => name);

test('development runs both providers, and the product knows them by the same variables', async () => {
  const { programs, variables } = await providersOf(root, 8080);
  expect(namesOf(programs)).toEqual(['provider-a', 'provider-b']);
  const [a, b] = programs.map(({ env }) => env);
  expect(a?.REDIRECT_URIS).toBe('http://127.0.0.1:8080/auth/provider-a/callback');
  expect(b?.POST_LOGOUT_REDIRECT_URIS).toBe('http://127.0.0.1:8080/');
  expect(variables).toEqual({
    DEMO_PEOPLE: '1',
    PROVIDER_A_ISSUER: `http://127.0.0.1:${programs[0]?.port}`,
    PROVIDER_A_NAME: 'Demo provider A',
    PROVIDER_A_CLIENT_ID: 'muster',
    PROVIDER_A_CLIENT_SECRET: a?.CLIENT_SECRET,
    PROVIDER_B_ISSUER: `http://127.0.0.1:${programs[1]?.port}`,
    PROVIDER_B_NAME: 'Demo provider B',
    PROVIDER_B_CLIENT_ID: 'muster',
    PROVIDER_B_CLIENT_SECRET: b?.CLIENT_SECRET,
  });
  expect(a?.CLIENT_SECRET).toMatch(/^[\w-]{43}$/);
  expect(a?.CLIENT_SECRET).not.toBe(b?.CLIENT_SECRET);
});

test('the next start finds the same issuers and secrets', async () => {
  const first = await providersOf(root, 8080);
  expect(await providersOf(root, 8080)).toEqual(first);
});

test('a provider of one’s own takes the place of the demo provider', async () => {
  process.env.PROVIDER_A_ISSUER = 'https://login.example.org';
  const { programs, variables } = await providersOf(root, 8080);
  expect(namesOf(programs)).toEqual(['provider-b']);
  expect(Object.keys(variables).filter((name) => name.startsWith('PROVIDER_A'))).toEqual([]);
  process.env.PROVIDER_B_ISSUER = 'https://accounts.example.org';
  expect(await providersOf(root, 8080)).toEqual({ programs: [], variables: {} });
});

test('production has no demo providers', async () => {
  process.env.MUSTER_MODE = 'production';
  expect(await providersOf(root, 8080)).toEqual({ programs: [], variables: {} });
});

test('people come back to the origin by which they reach the product', async () => {
  process.env.PUBLIC_ORIGIN = 'https://muster.example.org/';
  const { programs } = await providersOf(root, 8080);
  expect(programs[0]?.env.REDIRECT_URIS).toBe('https://muster.example.org/auth/provider-a/callback');
  process.env.PUBLIC_ORIGIN = 'muster';
  await expect(providersOf(root, 8080)).rejects.toThrow('PUBLIC_ORIGIN must be such as');
});

test('a checkout from before there were providers keeps the secrets it has', () => {
  const file = join(root, '.muster', 'secrets.json');
  const old = { SERVICE_SECRET: 'an old secret', KEY_ENCRYPTION_KEY: 'development:old' };
  mkdirSync(join(root, '.muster'));
  writeFileSync(file, JSON.stringify(old));
  const secrets = checkoutSecrets(root);
  expect(secrets).toEqual({
    ...old,
    PROVIDER_A_CLIENT_SECRET: expect.any(String),
    PROVIDER_B_CLIENT_SECRET: expect.any(String),
  });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...secrets, ...checkoutPasswords(root) });
  expect([statSync(file).mode & 0o777, statSync(join(root, '.muster')).mode & 0o777]).toEqual([0o600, 0o700]);
});

test('the environment wins over a secret of the checkout, without replacing it', () => {
  const kept = checkoutSecrets(root);
  process.env.PROVIDER_A_CLIENT_SECRET = 'given by the environment';
  expect(checkoutSecrets(root).PROVIDER_A_CLIENT_SECRET).toBe('given by the environment');
  delete process.env.PROVIDER_A_CLIENT_SECRET;
  expect(checkoutSecrets(root)).toEqual(kept);
});

test('engines have a random password each, kept from start to start, whatever the environment says', () => {
  const first = checkoutPasswords(root);
  expect(new Set(Object.values(first)).size).toBe(3);
  for (const password of Object.values(first)) expect(password).toMatch(/^[\da-f]{48}$/);
  process.env.MONGODB_PASSWORD = 'of something else';
  expect(checkoutPasswords(root)).toEqual(first);
});
