import { afterEach, describe, expect, test } from '@jest/globals';
import { ask } from '@muster/testing';
import { type Stand, startStand } from './stand.ts';

let stand: Stand | undefined;
afterEach(() => stand?.stop());

const REMOTE = { KNOWN_HOSTS: 'muster.example.org' };
const standBehind = async (variables: Record<string, string>) => {
  stand = await startStand(variables);
  return stand;
};
const told = async ({ url, identity }: Stand, headers: Record<string, string | string[]>) => {
  expect((await ask(url, '/auth/me', { headers })).status).toBe(200);
  return identity.received.at(-1)?.headers['x-forwarded-for'];
};

test('a trusted proxy is believed about the caller', async () => {
  const behind = await standBehind({ ...REMOTE, TRUSTED_PROXIES: '127.0.0.0/8' });
  await told(behind, {
    'X-Forwarded-For': '203.0.113.9, 127.0.0.1',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Host': 'muster.example.org',
  });
  expect(behind.identity.received.at(-1)?.headers).toMatchObject({
    'x-forwarded-for': '203.0.113.9',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'muster.example.org',
  });
});

test('PUBLIC_ORIGIN says where the product is, whatever a request claims', async () => {
  const behind = await standBehind({
    ...REMOTE,
    TRUSTED_PROXIES: '127.0.0.1',
    PUBLIC_ORIGIN: 'https://train.example.org/',
  });
  await told(behind, { 'X-Forwarded-Proto': 'http', 'X-Forwarded-Host': 'muster.example.org' });
  expect(behind.identity.received.at(-1)?.headers).toMatchObject({
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'train.example.org',
  });
  const document = (await ask(behind.url, '/openapi.json')).json<{ servers: unknown }>();
  expect(document.servers).toEqual([{ url: 'https://train.example.org' }]);
});

describe('who a request is from', () => {
  test('nobody but a trusted proxy can say', async () => {
    const direct = await standBehind({});
    const elsewhere = await startStand({ TRUSTED_PROXIES: '192.0.2.1, 2001:db8::/32' });
    try {
      for (const { url, identity } of [direct, elsewhere]) {
        const headers = { 'X-Forwarded-For': '203.0.113.9', Forwarded: 'for=203.0.113.9' };
        await ask(url, '/auth/me', { headers });
        expect(identity.received.at(-1)?.headers['x-forwarded-for']).toBe('127.0.0.1');
        expect(identity.received.at(-1)?.headers).not.toHaveProperty('forwarded');
      }
    } finally {
      await elsewhere.stop();
    }
  });

  test.each([
    ['one address', '203.0.113.9', '203.0.113.9'],
    ['what a caller put before its own', '198.51.100.66, 203.0.113.9', '203.0.113.9'],
    ['two trusted proxies', '198.51.100.66, 203.0.113.9, 127.0.0.2', '203.0.113.9'],
    ['two headers', ['198.51.100.66', '203.0.113.9'], '203.0.113.9'],
    ['IPv6', '2001:db8::7', '2001:db8::7'],
    ['IPv6 with a port', '[2001:db8::7]:4711', '2001:db8::7'],
    ['IPv4 with a port', '203.0.113.9:4711', '203.0.113.9'],
    ['IPv4 in IPv6', '::ffff:203.0.113.9', '203.0.113.9'],
    ['garbage', 'unknown', '127.0.0.1'],
    ['garbage a caller put before', "' or 1=1, 203.0.113.9", '203.0.113.9'],
    ['garbage last', '203.0.113.9, <script>', '127.0.0.1'],
    ['nothing', '', '127.0.0.1'],
    ['commas', ',,,', '127.0.0.1'],
  ])('%s, from a trusted proxy', async (_what, given, address) => {
    const behind = await standBehind({ TRUSTED_PROXIES: '127.0.0.0/8' });
    expect(await told(behind, { 'X-Forwarded-For': given })).toBe(address);
  });

  test('a claimed address changes no count', async () => {
    const { url } = await standBehind({ RATE_LIMIT_ADDRESS: '2' });
    const from = async (address: string) =>
      (await ask(url, '/auth/me', { headers: { 'X-Forwarded-For': address } })).status;
    expect([await from('192.0.2.1'), await from('192.0.2.2'), await from('192.0.2.3')]).toEqual([
      200, 200, 429,
    ]);
  });
});
