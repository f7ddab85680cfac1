import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { freePort } from '@muster/devstack';
import { ask } from '@muster/testing';
import { PRODUCTION, type Stand, startStand } from './stand.ts';
import { answerProblem, startIdentity, startUpstream } from './upstream.ts';

let stand: Stand | undefined;
afterEach(async () => {
  await stand?.stop();
  stand = undefined;
});

const SELF = { origin: PRODUCTION.PUBLIC_ORIGIN };
const cookieOf = (value: string) => ({ cookie: `theme=dark; __Host-muster_session=${value}` });
/** A gateway of production where the session `good` holds. */
const standSignedIn = async (...[variables, upstreams]: Parameters<typeof startStand>) => {
  stand = await startStand({ ...PRODUCTION, ...variables }, upstreams);
  stand.identity.sessions.set('good', 300);
  return stand;
};

describe('a session cookie', () => {
  test('becomes a bearer token before any service, and goes no further', async () => {
    const { url, exercises, identity } = await standSignedIn();
    expect((await ask(url, '/api/sessions/', { headers: cookieOf('good') })).status).toBe(200);
    expect(exercises.received.at(-1)?.headers).toMatchObject({ authorization: 'Bearer good.token1' });
    expect(exercises.received.at(-1)?.headers).not.toHaveProperty('cookie');
    await ask(url, '/auth/me', { headers: cookieOf('good') });
    expect(identity.received.at(-1)?.headers.authorization).toBe('Bearer good.token1');
    expect(identity.exchanged).toEqual(['good']);
  });

  test('is asked about once, however many requests come at once', async () => {
    const { url, identity } = await standSignedIn();
    const gate = Promise.withResolvers<void>();
    identity.gate = gate.promise;
    identity.sessions.set('other', 300);
    const asking = Array.from({ length: 30 }, (_, i) =>
      ask(url, '/api/sessions/', { headers: cookieOf(i % 2 ? 'good' : 'other') }),
    );
    await pause(200);
    gate.resolve();
    const bodies = (await Promise.all(asking)).map((answer) =>
      answer.json<{ headers: Record<string, string> }>(),
    );
    expect(identity.exchanged.toSorted()).toEqual(['good', 'other']);
    bodies.forEach(({ headers }, i) => {
      expect(headers.authorization).toMatch(i % 2 ? /^Bearer good\.token/ : /^Bearer other\.token/);
    });
  });

  test('is asked about anew when its token nears its end', async () => {
    const { url, identity } = await standSignedIn();
    identity.sessions.set('short', 31).set('ending', 20);
    const asked = async (cookie: string) => {
      await ask(url, '/api/sessions/', { headers: cookieOf(cookie) });
      return identity.exchanged.filter((given) => given === cookie).length;
    };
    expect([await asked('short'), await asked('short')]).toEqual([1, 1]);
    await pause(1_100);
    expect(await asked('short')).toBe(2);
    expect([await asked('ending'), await asked('ending')]).toEqual([1, 2]);
  });

  test('that identity refuses is a 401 that clears it', async () => {
    const { url, exercises } = await standSignedIn();
    const answer = await ask(url, '/api/sessions/', { headers: cookieOf('stolen') });
    expect(answer.json()).toMatchObject({ status: 401, type: 'urn:muster:problem:unauthorized' });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.headers['set-cookie']).toEqual([
      '__Host-muster_session=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax',
    ]);
    expect(exercises.received).toHaveLength(0);
  });

  test('that cannot be one is refused unasked; an empty one is none', async () => {
    const { url, identity, exercises } = await standSignedIn();
    const answer = await ask(url, '/api/sessions/', { headers: cookieOf('x'.repeat(501)) });
    expect(answer.status).toBe(401);
    expect((await ask(url, '/api/sessions/', { headers: cookieOf('') })).status).toBe(200);
    expect(exercises.received.at(-1)?.headers.authorization).toBeUndefined();
    expect(identity.exchanged).toEqual([]);
  });

  test('counts for nothing beside an Authorization header', async () => {
    const { url, exercises, identity } = await standSignedIn();
    const headers = { ...cookieOf('good'), authorization: 'Bearer mine' };
    const answer = await ask(url, '/api/sessions/', { method: 'POST', body: '{}', headers });
    expect(answer.status).toBe(200);
    expect(exercises.received.at(-1)?.headers.authorization).toBe('Bearer mine');
    expect(identity.exchanged).toEqual([]);
  });

  test('does no harm on public pages, good or bad', async () => {
    const { url, identity } = await standSignedIn();
    for (const path of ['/auth/provider-a/login', '/auth/provider-b/callback', '/.well-known/jwks.json'])
      expect((await ask(url, path, { headers: cookieOf('stolen') })).status).toBe(200);
    expect(identity.exchanged).toEqual([]);
    expect(identity.received.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill(undefined));
  });

  test('works in development too, and a bad one does not make the demo owner', async () => {
    stand = await startStand();
    stand.identity.sessions.set('good', 300);
    await ask(stand.url, '/api/sessions/', { headers: cookieOf('good') });
    expect(stand.exercises.received.at(-1)?.headers.authorization).toBe('Bearer good.token1');
    expect((await ask(stand.url, '/api/sessions/', { headers: cookieOf('stolen') })).status).toBe(401);
  });
});

describe('the end of a session', () => {
  test('a sign-out is known at once', async () => {
    const { url, identity } = await standSignedIn();
    const headers = { ...cookieOf('good'), ...SELF };
    await ask(url, '/api/sessions/', { headers });
    expect((await ask(url, '/auth/logout', { method: 'POST', headers })).status).toBe(200);
    identity.sessions.clear();
    expect((await ask(url, '/api/sessions/', { headers })).status).toBe(401);
    expect(identity.exchanged).toEqual(['good', 'good']);
  });

  test('a token that a service refuses is not used again', async () => {
    const exercises = await startUpstream((_request, response) => answerProblem(response, 401));
    const { url, identity } = await standSignedIn({}, { exercises });
    for (let i = 0; i < 3; i += 1)
      expect((await ask(url, '/api/sessions/', { headers: cookieOf('good') })).status).toBe(401);
    expect(identity.exchanged).toHaveLength(3);
  });
});

describe('while identity is away', () => {
  test('those with a cookie are asked to come back, the others are served', async () => {
    const identity = await startIdentity();
    await identity.stop();
    const { url, exercises } = await standSignedIn({ CONNECT_PATIENCE_MS: '300' }, { identity });
    const answer = await ask(url, '/api/sessions/', { headers: cookieOf('good') });
    expect(answer.json()).toMatchObject({ status: 503, type: 'urn:muster:problem:unavailable' });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.headers['set-cookie']).toBeUndefined();
    const bearer = { authorization: 'Bearer mine' };
    expect((await ask(url, '/api/sessions/', { headers: bearer })).status).toBe(200);
    expect(exercises.received).toHaveLength(1);
    expect((await ask(url, '/health')).status).toBe(200);
  });

  test('a restart is waited for', async () => {
    const port = await freePort();
    const { url } = await standSignedIn({ UPSTREAM_IDENTITY: `http://127.0.0.1:${port}` });
    const asking = ask(url, '/api/sessions/', { headers: cookieOf('good') });
    await pause(400);
    const back = await startIdentity(undefined, { port });
    back.sessions.set('good', 300);
    try {
      expect((await asking).status).toBe(200);
    } finally {
      await back.stop();
    }
  });

  test('a failed exchange is not kept, and a hanging identity holds nobody for long', async () => {
    const { url, identity } = await standSignedIn({ CONNECT_PATIENCE_MS: '300' });
    const gate = Promise.withResolvers<void>();
    identity.gate = gate.promise;
    const started = performance.now();
    expect((await ask(url, '/api/sessions/', { headers: cookieOf('good') })).status).toBe(503);
    expect(performance.now() - started).toBeLessThan(1_500);
    gate.resolve();
    expect((await ask(url, '/api/sessions/', { headers: cookieOf('good') })).status).toBe(200);
  });

  test.each([
    ['an error', 500, '{}'],
    ['nonsense', 200, '<html>'],
    ['no token', 200, '{}'],
  ])('%s in answer to a cookie is a 503, not a refusal', async (_what, status, body) => {
    const broken = await startUpstream((_request, response) => response.writeHead(status).end(body));
    try {
      const { url } = await standSignedIn({ UPSTREAM_IDENTITY: broken.url, CONNECT_PATIENCE_MS: '300' });
      const answer = await ask(url, '/api/sessions/', { headers: cookieOf('good') });
      expect(answer.status).toBe(503);
      expect(answer.text).not.toContain(body);
      expect(answer.headers['set-cookie']).toBeUndefined();
    } finally {
      await broken.stop();
    }
  });

  test('callers who leave meanwhile do not count against the service', async () => {
    const { url, identity, exercises } = await standSignedIn({ ANSWER_TIMEOUT_MS: '200' });
    const gate = Promise.withResolvers<void>();
    identity.gate = gate.promise;
    const leaving = Array.from({ length: 6 }, () =>
      ask(url, '/api/sessions/', { headers: cookieOf('good'), signal: AbortSignal.timeout(100) }),
    );
    for (const { status } of await Promise.allSettled(leaving)) expect(status).toBe('rejected');
    await pause(150);
    gate.resolve();
    await pause(500);
    expect((await ask(url, '/api/sessions/', { headers: cookieOf('good') })).status).toBe(200);
    expect(exercises.received).toHaveLength(1);
  });
});
