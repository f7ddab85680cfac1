import { once } from 'node:events';
import { type IncomingMessage, request as openRequest, type RequestListener } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { freePort } from '@muster/devstack';
import { ask } from '@muster/testing';
import { type Stand, startStand } from './stand.ts';
import { echo, startUpstream } from './upstream.ts';

let stand: Stand | undefined;
afterEach(() => stand?.stop());

const standBefore = async (listener: RequestListener, variables = {}) => {
  stand = await startStand(variables, { exercises: await startUpstream(listener) });
  return stand;
};
const problem = (slug: string, status: number) => ({ type: `urn:muster:problem:${slug}`, status });

describe('a service that is away', () => {
  test('is waited for: a request of any kind outlives its restart, sent once', async () => {
    const port = await freePort();
    stand = await startStand({ UPSTREAM_EXERCISES: `http://127.0.0.1:${port}` });
    const posting = ask(stand.url, '/api/sessions/', { method: 'POST', body: '{"a":1}' });
    const getting = ask(stand.url, '/api/sessions/');
    await pause(500);
    const back = await startUpstream(echo, { port });
    try {
      expect((await posting).json()).toMatchObject({ method: 'POST', bytes: 7 });
      expect((await getting).status).toBe(200);
      expect(back.received).toHaveLength(2);
    } finally {
      await back.stop();
    }
  });

  test('and stays away: 503 with Retry-After, after the patience and no sooner', async () => {
    stand = await startStand({
      UPSTREAM_EXERCISES: `http://127.0.0.1:${await freePort()}`,
      CONNECT_PATIENCE_MS: '400',
    });
    const started = performance.now();
    const answer = await ask(stand.url, '/api/sessions/', { method: 'POST', body: '{}' });
    expect(performance.now() - started).toBeGreaterThan(250);
    expect(answer.json()).toMatchObject(problem('unavailable', 503));
    expect(answer.headers['retry-after']).toBe('2');
    expect((await ask(stand.url, '/auth/me')).status).toBe(200);
  });
});

describe('repeating', () => {
  /** Answers once per connection, then resets it as soon as more is asked: what a restart does to kept connections. */
  const onceEach: RequestListener = (request, response) => {
    const socket = request.socket as typeof request.socket & { served?: boolean };
    if (socket.served) return void socket.resetAndDestroy();
    socket.served = true;
    echo(request, response);
  };

  test('a GET on a kept connection that has gone stale is sent once more, on a new one', async () => {
    const { url, exercises } = await standBefore(onceEach);
    const statuses = async (times: number) =>
      (await Promise.all(Array.from({ length: times }, () => ask(url, '/api/sessions/')))).map(
        (a) => a.status,
      );
    expect(await statuses(3)).toEqual([200, 200, 200]);
    expect(await statuses(1)).toEqual([200]);
    expect(exercises.received).toHaveLength(5);
  });

  test('a POST never meets a kept connection, and is never sent twice', async () => {
    const { url, exercises } = await standBefore(onceEach);
    const post = (headers = {}) => ask(url, '/api/sessions/', { method: 'POST', body: '{}', headers });
    expect((await ask(url, '/api/sessions/')).status).toBe(200);
    expect((await post()).status).toBe(200);
    expect((await post({ 'idempotency-key': 'k' })).status).toBe(200);
    expect(exercises.received).toHaveLength(3);
  });

  test.each(['GET', 'POST', 'DELETE'])('a %s that a service breaks off is a 502, once', async (method) => {
    const path = method === 'DELETE' ? '/api/scenarios/a.json' : '/api/sessions/';
    const { url, exercises } = await standBefore((request) => request.socket.resetAndDestroy());
    const answer = await ask(url, path, { method });
    expect(answer.json()).toMatchObject(problem('bad-gateway', 502));
    expect(exercises.received).toHaveLength(1);
  });
});

describe('time', () => {
  const silent: RequestListener = (request) => void request.resume();

  test('no answer in time is a 504, and the service is told to stop', async () => {
    const aborted = Promise.withResolvers<void>();
    const { url } = await standBefore((request) => request.socket.once('close', () => aborted.resolve()), {
      ANSWER_TIMEOUT_MS: '300',
    });
    expect((await ask(url, '/api/sessions/')).json()).toMatchObject(problem('gateway-timeout', 504));
    await aborted.promise;
  });

  test('Prefer: wait=N allows N seconds more', async () => {
    const slow: RequestListener = (request, response) => void setTimeout(() => echo(request, response), 900);
    const { url } = await standBefore(slow, { ANSWER_TIMEOUT_MS: '300' });
    const ofPrefer = async (prefer: string) =>
      (await ask(url, '/api/sessions/', { headers: { prefer } })).status;
    expect(await ofPrefer('respond-async, wait=1')).toBe(200);
    expect(await ofPrefer('wait=1')).toBe(200);
    expect(await ofPrefer('respond-async')).toBe(504);
  });

  test('an answer that stops half-way is cut, not passed off as whole', async () => {
    const halfway: RequestListener = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"a":');
    };
    const { url } = await standBefore(halfway, { ANSWER_TIMEOUT_MS: '300' });
    await expect(ask(url, '/api/sessions/')).rejects.toThrow(/aborted/);
  });

  test('an answer that a service breaks off is cut at once', async () => {
    const broken: RequestListener = (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"a":');
      setTimeout(() => request.socket.resetAndDestroy(), 100);
    };
    const { url } = await standBefore(broken, { ANSWER_TIMEOUT_MS: '60000' });
    for (const method of ['GET', 'POST'])
      await expect(ask(url, '/api/sessions/', { method })).rejects.toThrow(/aborted/);
  });

  test('a body that keeps coming is not cut by the time-out', async () => {
    const { url } = await standBefore(echo, { ANSWER_TIMEOUT_MS: '400' });
    const { hostname, port } = new URL(url);
    const slow = openRequest({ hostname, port, path: '/api/sessions/', method: 'POST' });
    const answered = once(slow, 'response') as Promise<[IncomingMessage]>;
    for (let i = 0; i < 6; i += 1) {
      slow.write('x');
      await pause(150);
    }
    slow.end();
    const [response] = await answered;
    response.resume();
    expect(response.statusCode).toBe(200);
  });

  test('a caller who leaves takes the request along, and does not count against the service', async () => {
    const left = Promise.withResolvers<void>();
    const { url } = await standBefore((request, response) => {
      if (request.method === 'GET') request.socket.once('close', () => left.resolve());
      else echo(request, response);
    });
    for (let i = 0; i < 6; i += 1) {
      await ask(url, '/api/sessions/', { signal: AbortSignal.timeout(50) }).catch(() => undefined);
    }
    await left.promise;
    expect((await ask(url, '/api/sessions/', { method: 'POST' })).status).toBe(200);
  });

  test('a silent service is left alone after five time-outs', async () => {
    const { url, exercises } = await standBefore(silent, { ANSWER_TIMEOUT_MS: '100' });
    for (let i = 0; i < 5; i += 1) expect((await ask(url, '/api/sessions/')).status).toBe(504);
    expect((await ask(url, '/api/sessions/')).status).toBe(503);
    expect(exercises.received).toHaveLength(5);
  });
});

test('the breaker opens after five failures, lets one probe through, and closes when it succeeds', async () => {
  let broken = true;
  let held: Promise<void> | undefined;
  const { url, exercises } = await standBefore(
    async (request, response) => {
      if (broken) return void request.socket.resetAndDestroy();
      await held;
      echo(request, response);
    },
    { BREAKER_OPEN_MS: '600' },
  );
  const status = async () => (await ask(url, '/api/sessions/')).status;
  for (let i = 0; i < 5; i += 1) expect(await status()).toBe(502);
  const refused = await ask(url, '/api/sessions/');
  expect(refused.json()).toMatchObject(problem('unavailable', 503));
  expect(refused.headers['retry-after']).toBe('1');
  expect(exercises.received).toHaveLength(5);
  expect((await ask(url, '/auth/me')).status).toBe(200);

  await pause(650);
  expect(await status()).toBe(502);
  expect(await status()).toBe(503);
  expect(exercises.received).toHaveLength(6);

  broken = false;
  const gate = Promise.withResolvers<void>();
  held = gate.promise;
  await pause(650);
  const probe = status();
  await pause(100);
  expect(await status()).toBe(503);
  gate.resolve();
  expect(await probe).toBe(200);
  expect(await Promise.all([status(), status()])).toEqual([200, 200]);
});

describe('answers of a service', () => {
  test.each([
    [500, 'text/html', '<h1>TypeError: at /srv/app.js:1</h1>'],
    [404, 'text/plain', 'Cannot GET'],
    [503, 'application/json', '{"stack":"..."}'],
  ])('%i with %s is replaced: it did not come from our code', async (status, type, body) => {
    const { url } = await standBefore((_request, response) =>
      response.writeHead(status, { 'content-type': type }).end(body),
    );
    const answer = await ask(url, '/api/sessions/');
    expect(answer.json()).toMatchObject(problem('bad-gateway', 502));
    expect(answer.text).not.toContain(body);
  });

  test('what is no HTTP is a 502', async () => {
    const { url } = await standBefore((request) => request.socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    expect((await ask(url, '/api/sessions/')).json()).toMatchObject(problem('bad-gateway', 502));
  });

  test('a problem passes as it is; hop-by-hop headers, cookies and what is the edge to say do not', async () => {
    const body = JSON.stringify({ type: 'urn:muster:problem:conflict', status: 409 });
    const { url } = await standBefore((_request, response) =>
      response
        .writeHead(409, {
          'content-type': 'application/problem+json; charset=utf-8',
          connection: 'close, x-hop',
          'x-hop': '1',
          server: 'thing/1',
          'x-request-id': 'theirs',
          'ratelimit-limit': '1',
          etag: '"7"',
          'set-cookie': ['a=1', 'b=2'],
          'content-security-policy': "script-src 'unsafe-inline'",
          'access-control-allow-origin': '*',
        })
        .end(body),
    );
    const answer = await ask(url, '/api/sessions/', {
      headers: { 'x-request-id': 'mine', connection: 'keep-alive' },
    });
    expect([answer.status, answer.text]).toEqual([409, body]);
    expect(answer.headers).toMatchObject({
      etag: '"7"',
      'x-request-id': 'mine',
      'ratelimit-limit': '60000',
      connection: 'keep-alive',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect(answer.headers).not.toHaveProperty('x-hop');
    expect(answer.headers).not.toHaveProperty('server');
  });

  test('304 and 204 pass without a body', async () => {
    const { url } = await standBefore((request, response) =>
      response.writeHead(request.method === 'GET' ? 304 : 204, { etag: '"7"' }).end(),
    );
    expect(await ask(url, '/api/sessions/')).toMatchObject({ status: 304, text: '' });
    expect(await ask(url, '/api/scenarios/a.json', { method: 'DELETE' })).toMatchObject({
      status: 204,
      text: '',
    });
  });

  test('an early answer to a long body arrives', async () => {
    const { url } = await standBefore((_request, response) =>
      response.writeHead(401, { 'content-type': 'application/problem+json' }).end('{}'),
    );
    const body = Buffer.alloc(4 * 1024 * 1024);
    expect((await ask(url, '/api/scenarios/', { method: 'POST', body })).status).toBe(401);
    expect((await ask(url, '/api/scenarios/', { method: 'POST', chunks: [body] })).status).toBe(401);
  });
});
