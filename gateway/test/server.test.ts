import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { apis } from '@muster/contracts';
import { freePort } from '@muster/devstack';
import { ask, exchangeBytes } from '@muster/testing';
import { type Stand, startStand } from './stand.ts';
import { echo, startIdentity, startUpstream } from './upstream.ts';

let stand: Stand | undefined;
afterEach(async () => {
  await stand?.stop();
  stand = undefined;
});

const problemOf = (bytes: string) => JSON.parse(bytes.slice(bytes.indexOf('\r\n\r\n') + 4));

describe('what is not HTTP, or not in time', () => {
  test.each([
    ['nonsense', 'nonsense\r\n\r\n', 400, 'malformed-header'],
    ['a method nobody has', 'BREW /health HTTP/1.1\r\nHost: localhost\r\n\r\n', 400, 'malformed-header'],
    ['a space in the address', 'GET /a b HTTP/1.1\r\nHost: localhost\r\n\r\n', 400, 'malformed-header'],
    ['a header without a name', 'GET /health HTTP/1.1\r\n: x\r\n\r\n', 400, 'malformed-header'],
    [
      'a bad length',
      'POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1x\r\n\r\n',
      400,
      'malformed-header',
    ],
    ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n', 400, 'malformed-header'],
    ['20 KiB of headers', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers-too-large'],
    [
      'a 20 KiB address',
      `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      431,
      'headers-too-large',
    ],
  ])('%s is a problem of its own', async (_what, bytes, status, slug) => {
    stand = await startStand();
    const got = await exchangeBytes(stand.url, bytes);
    expect(got).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(got).toContain('Content-Type: application/problem+json');
    expect(problemOf(got)).toMatchObject({ status, type: `urn:muster:problem:${slug}` });
    expect((await ask(stand.url, '/auth/me')).status).toBe(200);
  });

  test('HTTP/1.1 without a host is refused, HTTP/1.0 is served', async () => {
    stand = await startStand();
    const newer = await exchangeBytes(stand.url, 'GET /auth/me HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(problemOf(newer)).toMatchObject({ status: 400, detail: 'The Host header is missing.' });
    expect(await exchangeBytes(stand.url, 'GET /auth/me HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200/);
  });

  test('headers and bodies that trickle in are answered 408 and cut', async () => {
    stand = await startStand({ RECEIVE_HEADERS_MS: '300', RECEIVE_REQUEST_MS: '600' });
    const headers = await exchangeBytes(stand.url, 'GET /health HTTP/1.1\r\nHost: localhost\r\n');
    expect(problemOf(headers)).toMatchObject({ status: 408, type: 'urn:muster:problem:request-timeout' });
    const body = await exchangeBytes(
      stand.url,
      'POST /api/sessions/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nx',
    );
    expect(problemOf(body).status).toBe(408);
  });

  test.each([
    ['headers', 'GET /health HTTP/1.1\r\nHost: localhost\r\nX-A: '],
    ['a body', 'POST /api/sessions/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n'],
    ['chunks', 'POST /api/sessions/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ])('%s that keep coming, byte by byte, win no time', async (what, begin) => {
    stand = await startStand({ RECEIVE_HEADERS_MS: '300', RECEIVE_REQUEST_MS: '600' });
    const { hostname, port } = new URL(stand.url);
    const socket = connect(Number(port), hostname, () => socket.write(begin));
    const drip = setInterval(() => socket.write(what === 'chunks' ? '1\r\nx\r\n' : 'x'), 50);
    const started = performance.now();
    try {
      const [answer] = await once(
        socket.on('error', () => undefined),
        'data',
      );
      expect(problemOf(String(answer)).status).toBe(408);
      expect(performance.now() - started).toBeLessThan(2_500);
    } finally {
      clearInterval(drip);
      socket.destroy();
    }
  });

  test('an expectation nobody knows is passed over', async () => {
    stand = await startStand();
    const got = await exchangeBytes(
      stand.url,
      'GET /auth/me HTTP/1.1\r\nHost: localhost\r\nExpect: magic\r\nConnection: close\r\n\r\n',
    );
    expect(got).toMatch(/^HTTP\/1\.1 200/);
  });
});

describe('health', () => {
  const ready = (status: number, body: unknown) => ({
    ready: (_request: unknown, response: { writeHead(status: number): { end(body: string): void } }) =>
      response.writeHead(status).end(JSON.stringify(body)),
  });

  test('is ok when every service is', async () => {
    stand = await startStand();
    const answer = await ask(stand.url, '/health');
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      status: 'ok',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      mode: 'development',
      services: Object.fromEntries(
        [...apis.map(({ service }) => service), 'gateway'].map((name) => [name, { status: 'ok' }]),
      ),
    });
  });

  test('names what is degraded, what refuses, and stays 200', async () => {
    const checks = { mongo: { status: 'ok' }, broker: { status: 'degraded', detail: 'connection refused' } };
    const exercises = await startUpstream(echo, ready(200, { status: 'degraded', checks }));
    const down = { status: 'unavailable', checks: { mongo: { status: 'degraded' } } };
    const identity = await startIdentity(echo, ready(503, down));
    stand = await startStand({}, { exercises, identity });
    const answer = await ask(stand.url, '/health');
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({
      status: 'degraded',
      services: {
        exercises: { status: 'degraded', detail: 'broker: connection refused' },
        identity: { status: 'unavailable', detail: 'mongo: degraded' },
      },
    });
  });

  test('a service that is away, silent or talks nonsense is unavailable; the others are asked meanwhile', async () => {
    const silent = await startUpstream(echo, { ready: () => undefined });
    const nonsense = await startIdentity(echo, { ready: (_request, response) => response.end('<html>') });
    const away = `http://127.0.0.1:${await freePort()}`;
    stand = await startStand({ UPSTREAM_TWIN: away }, { exercises: silent, identity: nonsense });
    const started = performance.now();
    const answer = await ask(stand.url, '/health');
    expect(performance.now() - started).toBeLessThan(2_800);
    const unavailable = { status: 'unavailable', detail: 'does not answer' };
    expect(answer.json().services).toMatchObject({
      exercises: unavailable,
      identity: unavailable,
      twin: unavailable,
    });
  });

  test('services are asked at most once a second, however many ask', async () => {
    let asked = 0;
    const identity = await startIdentity(echo, {
      ready: (_request, response) => {
        asked += 1;
        response.end('{"status":"ok","checks":{}}');
      },
    });
    stand = await startStand({}, { identity });
    const { url } = stand;
    await Promise.all(Array.from({ length: 20 }, () => ask(url, '/health')));
    expect(asked).toBe(1);
    await pause(1_050);
    await ask(url, '/health');
    expect(asked).toBe(2);
  });
});

test('metrics are on their own port and not on the public one', async () => {
  stand = await startStand({ METRICS_PORT: '0' });
  await ask(stand.url, '/auth/me');
  await ask(stand.url, '/nothing');
  expect((await ask(stand.url, '/metrics')).status).toBe(404);
  const { text } = await ask(stand.metricsUrl ?? '', '/metrics');
  expect(text).toMatch(/duration_seconds_count\{service="gateway",endpoint="getMe",status="200"\} 1/);
  expect(text).toMatch(/endpoint="unmatched",status="404"/);
  expect(new URL(stand.metricsUrl ?? '').hostname).toBe('127.0.0.1');
});

describe('stopping', () => {
  test('finishes what is under way, takes nothing new, and frees idle connections', async () => {
    const exercises = await startUpstream(
      (request, response) => void setTimeout(() => echo(request, response), 500),
    );
    stand = await startStand({}, { exercises });
    const { url } = stand;
    const idle = connect(Number(new URL(url).port), '127.0.0.1');
    await once(idle, 'connect');
    const underWay = ask(url, '/api/sessions/', { headers: { connection: 'keep-alive' } });
    await pause(100);
    const started = performance.now();
    const stopped = stand.stop();
    await pause(100);
    await expect(ask(url, '/health')).rejects.toThrow(/ECONNREFUSED/);
    const answer = await underWay;
    expect([answer.status, answer.headers.connection]).toEqual([200, 'close']);
    await stopped;
    expect(performance.now() - started).toBeLessThan(1_500);
  });

  test('cuts what does not end', async () => {
    const exercises = await startUpstream(() => undefined);
    stand = await startStand({ STOP_MS: '300' }, { exercises });
    const hanging = ask(stand.url, '/api/sessions/').catch((error: Error) => error.message);
    await pause(100);
    const started = performance.now();
    await stand.stop();
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(await hanging).toMatch(/hang up|ECONNRESET/);
  });
});
