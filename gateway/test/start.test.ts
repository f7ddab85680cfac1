import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { apis } from '@muster/contracts';
import { gatewayConfig, upstreamVariable } from '../src/config.ts';
import { startGateway } from '../src/gateway.ts';
import { redisUrl, SECRET, startStand } from './stand.ts';

const enough = {
  REDIS_URL: redisUrl(),
  SERVICE_SECRET: SECRET,
  SERVICE_PORT: '0',
  LOG_LEVEL: 'silent',
  ...Object.fromEntries(apis.map(({ service }) => [upstreamVariable(service), 'http://127.0.0.1:1'])),
  PUBLIC_ORIGIN: 'https://muster.example.org',
};

test('a missing or wrong variable is named, all in one line', () => {
  const wrong = {
    ...enough,
    UPSTREAM_IDENTITY: undefined,
    UPSTREAM_EXERCISES: 'https://x',
    RATE_LIMIT_TOKEN: '0',
    PUBLIC_ORIGIN: 'ftp://x',
  };
  expect(() => gatewayConfig(wrong)).toThrow(
    /^(?=.*UPSTREAM_EXERCISES \(expected such as)(?=.*UPSTREAM_IDENTITY)(?=.*RATE_LIMIT_TOKEN)(?=.*PUBLIC_ORIGIN).*$/,
  );
});

test('limits are generous in development and not in production', () => {
  expect(gatewayConfig(enough).rates).toEqual({ token: 600, address: 1200, login: 20, refused: 100 });
  expect(gatewayConfig({ ...enough, MUSTER_MODE: 'development' }).rates).toEqual({
    token: 60_000,
    address: 60_000,
    login: 60_000,
    refused: 60_000,
  });
  const set = { RATE_LIMIT_ADDRESS: '7', RATE_LIMIT_LOGIN: '8', RATE_LIMIT_REFUSED: '9' };
  expect(gatewayConfig({ ...enough, ...set }).rates).toEqual({
    token: 600,
    address: 7,
    login: 8,
    refused: 9,
  });
});

test('development mode needs the secret that services know the gateway by', () => {
  const none = { ...enough, SERVICE_SECRET: '' };
  expect(() => gatewayConfig({ ...none, MUSTER_MODE: 'development' })).toThrow(/SERVICE_SECRET \(.*same/);
  expect(gatewayConfig(none).SERVICE_SECRET).toBeUndefined();
});

test.each([
  ['production without an origin', { PUBLIC_ORIGIN: '' }, /PUBLIC_ORIGIN \(production needs the address/],
  ['production over http', { PUBLIC_ORIGIN: 'http://m.example.org' }, /PUBLIC_ORIGIN \(.*needs https/],
  ['a wildcard', { CORS_ORIGINS: '*' }, /CORS_ORIGINS \(expected exact origins .*not "\*"/],
  ['a path in an origin', { CORS_ORIGINS: 'https://a.example/' }, /CORS_ORIGINS/],
  ['an origin over http', { CORS_ORIGINS: 'https://a.example, http://b.example' }, /not "http:\/\/b\.ex/],
  ['loopback over http in production', { CORS_ORIGINS: 'http://localhost:5173' }, /CORS_ORIGINS/],
  ['the null origin', { CORS_ORIGINS: 'null' }, /CORS_ORIGINS/],
  ['a proxy that is a name', { TRUSTED_PROXIES: '10.0.0.1, proxy' }, /TRUSTED_PROXIES \(expected addresses/],
  ['everybody as a proxy', { TRUSTED_PROXIES: '0.0.0.0/0' }, /TRUSTED_PROXIES/],
  ['a network of 33 bits', { TRUSTED_PROXIES: '10.0.0.0/33' }, /TRUSTED_PROXIES/],
])('%s is refused in one line', (_what, variables, message) => {
  expect(() => gatewayConfig({ ...enough, ...variables })).toThrow(message);
  expect(() => gatewayConfig({ ...enough, ...variables })).toThrow(/^.*$/);
});

test('development may be asked from a page on loopback', () => {
  const { CORS_ORIGINS, TRUSTED_PROXIES } = gatewayConfig({
    ...enough,
    MUSTER_MODE: 'development',
    CORS_ORIGINS: 'http://localhost:5173,',
    TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::/32, 192.0.2.1',
  });
  expect(CORS_ORIGINS).toEqual(['http://localhost:5173']);
  expect(TRUSTED_PROXIES).toHaveLength(3);
});

test('production that cannot start says so in one line and ends', async () => {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const env = { ...enough, PUBLIC_ORIGIN: '' };
  const outcome = await promisify(execFile)(process.execPath, [main], { env }).catch((error) => error);
  expect(outcome.code).toBe(1);
  expect(outcome.stderr).toMatch(/^The gateway cannot start: .*PUBLIC_ORIGIN \(production needs .*\n$/);
});

test('development mode stays on this machine', async () => {
  const open = gatewayConfig({ ...enough, MUSTER_MODE: 'development', SERVICE_HOST: '0.0.0.0' });
  await expect(startGateway(open)).rejects.toThrow(/refuses to listen on 0\.0\.0\.0/);
});

test('a port in use is said in one line', async () => {
  const stand = await startStand();
  const taken = gatewayConfig({ ...enough, SERVICE_PORT: new URL(stand.url).port });
  try {
    await expect(startGateway(taken)).rejects.toThrow(
      /^port \d+ on 127\.0\.0\.1 is in use by another program$/,
    );
  } finally {
    await stand.stop();
  }
});
