import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { freePort } from '@muster/devstack';
import { ask } from '@muster/testing';
import { redisUrl, type Stand, startStand } from './stand.ts';
import { answerProblem, echo, startIdentity } from './upstream.ts';

let stand: Stand | undefined;
afterEach(() => stand?.stop());

const statuses = async (base: string, times: number, headers = {}) => {
  const got: number[] = [];
  for (let i = 0; i < times; i += 1) got.push((await ask(base, '/auth/me', { headers })).status);
  return got;
};

test('every answer says what is left; past the limit it is a 429 that says when to come back', async () => {
  stand = await startStand({ RATE_LIMIT_ADDRESS: '4' });
  const first = await ask(stand.url, '/health');
  expect(first.headers).toMatchObject({ 'ratelimit-limit': '4', 'ratelimit-remaining': '3' });
  expect(Number(first.headers['ratelimit-reset'])).toBeGreaterThan(50);
  expect((await ask(stand.url, '/nothing')).headers['ratelimit-remaining']).toBe('2');
  expect((await ask(stand.url, '/auth/me')).headers['ratelimit-remaining']).toBe('1');
  expect(await statuses(stand.url, 3)).toEqual([200, 429, 429]);

  const refused = await ask(stand.url, '/api/sessions/', { method: 'POST', body: '{}' });
  expect(refused.json()).toMatchObject({ status: 429, type: 'urn:muster:problem:rate-limited' });
  expect(refused.headers).toMatchObject({ 'ratelimit-limit': '4', 'ratelimit-remaining': '0' });
  expect(refused.headers['retry-after']).toBe(refused.headers['ratelimit-reset']);
  expect(stand.exercises.received).toHaveLength(0);
});

test('whoever watches the process asks /live, which counts for nobody and goes nowhere', async () => {
  stand = await startStand({ RATE_LIMIT_ADDRESS: '1' });
  for (let times = 0; times < 3; times += 1) {
    const { status, headers, text } = await ask(stand.url, '/live');
    expect([status, text]).toEqual([200, '{"status":"ok"}']);
    expect(headers).not.toHaveProperty('ratelimit-limit');
  }
  expect(await statuses(stand.url, 2)).toEqual([200, 429]);
  expect(stand.exercises.received).toHaveLength(0);
});

test('tokens and sessions are counted each on their own', async () => {
  stand = await startStand({ RATE_LIMIT_TOKEN: '2', RATE_LIMIT_ADDRESS: '100' });
  const cookie = (value: string) => ({ cookie: `theme=dark; __Host-muster_session=${value}` });
  stand.identity.sessions.set('three', 300).set('four', 300);
  expect(await statuses(stand.url, 3, { authorization: 'Bearer one' })).toEqual([200, 200, 429]);
  expect(await statuses(stand.url, 3, { authorization: 'Bearer two' })).toEqual([200, 200, 429]);
  expect(await statuses(stand.url, 3, cookie('three'))).toEqual([200, 200, 429]);
  expect(await statuses(stand.url, 3, cookie('four'))).toEqual([200, 200, 429]);
  expect(await statuses(stand.url, 1)).toEqual([200]);
});

test('a token is one caller, however its scheme is written', async () => {
  stand = await startStand({ RATE_LIMIT_TOKEN: '3', RATE_LIMIT_ADDRESS: '100' });
  const got: number[] = [];
  for (const authorization of ['Bearer one', 'bearer one', 'BEARER  one', 'Splunk one', 'bEARER one'])
    got.push(...(await statuses(stand.url, 1, { authorization })));
  expect(got).toEqual([200, 200, 200, 429, 429]);
});

test('gateways that count large limits by themselves agree within a hundredth each', async () => {
  const shared = { RATE_LIMIT_ADDRESS: '300', REDIS_PREFIX: `test-large-${process.pid}-${Date.now()}` };
  stand = await startStand(shared);
  const other = await startStand(shared);
  try {
    const passed: number[] = [];
    const askMany = async (base: string) => {
      for (let i = 0; i < 200; i += 1) {
        const [status] = await statuses(base, 1);
        if (status === 200) passed.push(i);
      }
    };
    await Promise.all([askMany(stand.url), askMany(other.url)]);
    expect(passed.length).toBeGreaterThanOrEqual(294);
    expect(passed.length).toBeLessThanOrEqual(310);
  } finally {
    await other.stop();
  }
});

test('two gateways share their counts', async () => {
  const shared = { RATE_LIMIT_ADDRESS: '4', REDIS_PREFIX: `test-shared-${process.pid}-${Date.now()}` };
  stand = await startStand(shared);
  const other = await startStand(shared);
  try {
    expect([...(await statuses(stand.url, 2)), ...(await statuses(other.url, 3))]).toEqual([
      200, 200, 200, 200, 429,
    ]);
  } finally {
    await other.stop();
  }
});

test('callers behind a trusted proxy are counted apart', async () => {
  stand = await startStand({ RATE_LIMIT_ADDRESS: '1', TRUSTED_PROXIES: '127.0.0.1' });
  const from = (address: string) => ({ 'x-forwarded-for': address });
  expect(await statuses(stand.url, 2, from('198.51.100.1'))).toEqual([200, 429]);
  expect(await statuses(stand.url, 1, from('198.51.100.2'))).toEqual([200]);
  expect(await statuses(stand.url, 1, from('2001:db8::1'))).toEqual([200]);
  expect(await statuses(stand.url, 1, from('2001:db8::2'))).toEqual([429]);
});

describe('sign-in pages', () => {
  const open = async (path: string, headers = {}) => (await ask(stand?.url ?? '', path, { headers })).status;

  test('have a limit of their own per address, all together', async () => {
    stand = await startStand({ RATE_LIMIT_LOGIN: '5' });
    const first = await ask(stand.url, '/auth/provider-a/login');
    expect(first.headers).toMatchObject({ 'ratelimit-limit': '5', 'ratelimit-remaining': '4' });
    const paths = ['/auth/provider-b/callback', '/auth/invite', '/auth/setup', '/auth/login'];
    for (const path of paths) expect([path, await open(path)]).toEqual([path, 200]);
    const refused = await ask(stand.url, '/auth/provider-b/login');
    expect(refused.json()).toMatchObject({
      type: 'urn:muster:problem:rate-limited',
      detail: expect.stringMatching(/^More than 5 requests to sign in in a minute: try again in \d+ s\.$/),
    });
    expect(refused.headers['retry-after']).toBe(refused.headers['ratelimit-reset']);
    expect(stand.identity.received).toHaveLength(5);
    expect([await open('/auth/me'), await open('/.well-known/jwks.json')]).toEqual([200, 200]);
  });

  test('are limited without Redis too, and while it hangs', async () => {
    const relay = await startRelay(redisUrl());
    stand = await startStand({ REDIS_URL: relay.url, RATE_LIMIT_LOGIN: '2' });
    try {
      relay.setMode('hang');
      const asked = [await open('/auth/login'), await open('/auth/login'), await open('/auth/login')];
      expect(asked).toEqual([200, 200, 429]);
      relay.setMode('refuse');
      expect(await open('/auth/login')).toBe(429);
    } finally {
      relay.stop();
    }
  });
});

describe('tokens and cookies that are refused', () => {
  /** Takes the token `good` only. */
  const strict: RequestListener = (request, response) =>
    request.headers.authorization === 'Bearer good' ? echo(request, response) : answerProblem(response, 401);
  const standBefore = async (variables: Record<string, string>) => {
    stand = await startStand(variables, { identity: await startIdentity(strict) });
    return stand;
  };
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  test('are counted per address; past the limit only a token that was good passes', async () => {
    const { url } = await standBefore({ RATE_LIMIT_REFUSED: '3' });
    expect(await statuses(url, 1, bearer('good'))).toEqual([200]);
    for (const token of ['a', 'b', 'c']) expect(await statuses(url, 1, bearer(token))).toEqual([401]);
    const refused = await ask(url, '/auth/me', { headers: bearer('d') });
    expect(refused.json()).toMatchObject({ type: 'urn:muster:problem:rate-limited' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50);
    expect(await statuses(url, 2, bearer('good'))).toEqual([200, 200]);
    expect((await ask(url, '/auth/login')).status).toBe(401);
  });

  test('a token that was good and is no more counts again', async () => {
    let revoked = false;
    const identity = await startIdentity((request, response) =>
      revoked ? answerProblem(response, 401) : echo(request, response),
    );
    stand = await startStand({ RATE_LIMIT_REFUSED: '2' }, { identity });
    expect(await statuses(stand.url, 1, bearer('good'))).toEqual([200]);
    revoked = true;
    expect(await statuses(stand.url, 3, bearer('good'))).toEqual([401, 401, 429]);
  });

  test('guessed cookies are counted, and identity is not asked past the limit', async () => {
    const { url, identity } = await standBefore({ RATE_LIMIT_REFUSED: '3' });
    const got: number[] = [];
    for (let i = 0; i < 5; i += 1)
      got.push(...(await statuses(url, 1, { cookie: `__Host-muster_session=guess${i}` })));
    expect(got).toEqual([401, 401, 401, 429, 429]);
    expect(identity.exchanged).toHaveLength(3);
  });

  test('nobody is counted for asking without one', async () => {
    const { url } = await standBefore({ RATE_LIMIT_REFUSED: '1' });
    expect(await statuses(url, 3)).toEqual([401, 401, 401]);
  });

  test('are counted without Redis, and while it hangs', async () => {
    const relay = await startRelay(redisUrl());
    const { url } = await standBefore({ REDIS_URL: relay.url, RATE_LIMIT_REFUSED: '2' });
    try {
      relay.setMode('hang');
      const started = performance.now();
      expect(await statuses(url, 3, bearer('bad'))).toEqual([401, 401, 429]);
      expect(performance.now() - started).toBeLessThan(4_000);
      relay.setMode('refuse');
      expect(await statuses(url, 1, bearer('bad'))).toEqual([429]);
    } finally {
      relay.stop();
    }
  });
});

test('without Redis the gateway starts, serves and counts in memory', async () => {
  stand = await startStand({ REDIS_URL: `redis://127.0.0.1:${await freePort()}`, RATE_LIMIT_ADDRESS: '3' });
  expect(await statuses(stand.url, 4)).toEqual([200, 200, 200, 429]);
});

test('losing Redis, and Redis hanging, is noticed and outlived; its return too', async () => {
  const relay = await startRelay(redisUrl());
  stand = await startStand({ REDIS_URL: relay.url, RATE_LIMIT_ADDRESS: '100' });
  const redisIs = async () => {
    await pause(1_100);
    const { services } = (await ask(stand?.url ?? '', '/health')).json<{
      services: Record<string, { status: string }>;
    }>();
    return services.gateway?.status;
  };
  try {
    expect(await statuses(stand.url, 2)).toEqual([200, 200]);
    relay.setMode('hang');
    const started = performance.now();
    expect(await statuses(stand.url, 3)).toEqual([200, 200, 200]);
    expect(performance.now() - started).toBeLessThan(2_500);
    relay.setMode('refuse');
    expect(await statuses(stand.url, 3)).toEqual([200, 200, 200]);
    expect(await redisIs()).toBe('degraded');
    relay.setMode('pass');
    await pause(2_000);
    expect(await redisIs()).toBe('ok');
    // What was counted here meanwhile is told to Redis when it is back.
    expect((await ask(stand.url, '/auth/me')).headers['ratelimit-remaining']).toBe('89');
  } finally {
    relay.stop();
  }
});

/** A way to Redis that can be made to swallow everything, or to break. */
async function startRelay(target: string) {
  const address = new URL(target);
  const { hostname, port } = address;
  let mode: 'pass' | 'hang' | 'refuse' = 'pass';
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    if (mode === 'refuse') return void socket.destroy();
    const onward = connect(Number(port || 6379), hostname);
    for (const end of [socket, onward]) {
      sockets.add(end);
      end.on('error', () => undefined).once('close', () => sockets.delete(end));
    }
    socket.on('data', (data) => mode === 'pass' && onward.write(data));
    onward.on('data', (data) => mode === 'pass' && socket.write(data));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address.hostname = '127.0.0.1';
  address.port = String((server.address() as AddressInfo).port);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: address.href,
    setMode(next: typeof mode) {
      mode = next;
      if (next !== 'hang') cut();
    },
    stop() {
      server.close();
      cut();
    },
  };
}
