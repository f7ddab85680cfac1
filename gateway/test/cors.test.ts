import { afterEach, describe, expect, test } from '@jest/globals';
import { ask } from '@muster/testing';
import { PRODUCTION, type Stand, startStand } from './stand.ts';

let stand: Stand | undefined;
afterEach(() => stand?.stop());

const PORTAL = 'https://portal.example.org';
const ALLOW = 'access-control-allow-origin';
const preflight = (origin: string, method = 'POST') => ({
  method: 'OPTIONS',
  headers: {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,content-type',
  },
});
const standWith = async (variables: Record<string, string>) => {
  stand = await startStand({ ...PRODUCTION, ...variables });
  return stand;
};

test('pages of other origins get nothing unless they are configured', async () => {
  const { url } = await standWith({});
  const answers = [
    await ask(url, '/api/sessions/', preflight(PORTAL)),
    await ask(url, '/api/sessions/', { headers: { origin: PORTAL, authorization: 'Bearer x' } }),
    await ask(url, '/health', { headers: { origin: PORTAL } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([204, 200, 200]);
  expect(JSON.stringify(answers.map(({ headers }) => headers))).not.toContain('access-control');
});

describe('a configured origin', () => {
  const CORS_ORIGINS = `https://other.example.org, ${PORTAL}`;

  test('may ask first, then call with a token and read what it needs', async () => {
    const { url, exercises } = await standWith({ CORS_ORIGINS });
    const first = await ask(url, '/api/sessions/', preflight(PORTAL));
    expect(first.status).toBe(204);
    expect(first.headers).toMatchObject({
      [ALLOW]: PORTAL,
      'access-control-allow-methods': expect.stringContaining('PATCH'),
      'access-control-allow-headers': expect.stringMatching(/Authorization.*Idempotency-Key.*If-Match/),
      'access-control-max-age': '600',
      vary: 'Origin',
    });
    expect(exercises.received).toEqual([]);
    const headers = { origin: PORTAL, authorization: 'Bearer x' };
    const then = await ask(url, '/api/sessions/', { method: 'POST', body: '{}', headers });
    expect(then.status).toBe(200);
    expect(then.headers[ALLOW]).toBe(PORTAL);
    const exposed = String(then.headers['access-control-expose-headers']).split(',');
    expect(exposed).toEqual([
      'ETag',
      'Location',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'Retry-After',
      'X-Request-Id',
      'Idempotency-Replayed',
    ]);
    expect(then.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test('can read refusals too', async () => {
    const { url } = await standWith({ CORS_ORIGINS, RATE_LIMIT_ADDRESS: '1' });
    const asked = () => ask(url, '/nothing', { headers: { origin: PORTAL } });
    expect(await asked()).toMatchObject({ status: 404, headers: { [ALLOW]: PORTAL } });
    expect(await asked()).toMatchObject({ status: 429, headers: { [ALLOW]: PORTAL } });
  });

  test('may not use a session: cookies are for pages of ours', async () => {
    const { url, identity } = await standWith({ CORS_ORIGINS });
    identity.sessions.set('good', 300);
    const headers = { origin: PORTAL, cookie: '__Host-muster_session=good' };
    for (const method of ['GET', 'POST']) {
      const answer = await ask(url, '/api/sessions/', { method, headers });
      expect(answer.json()).toMatchObject({ status: 403, type: 'urn:muster:problem:cross-site' });
    }
    expect(identity.exchanged).toEqual([]);
  });

  test.each(['https://portal.example.org.evil.example', 'http://portal.example.org', 'null', ''])(
    'is not "%s"',
    async (origin) => {
      const { url } = await standWith({ CORS_ORIGINS });
      for (const options of [preflight(origin), { headers: { origin, authorization: 'Bearer x' } }]) {
        const answer = await ask(url, '/api/sessions/', options);
        expect(answer.headers).not.toHaveProperty(ALLOW);
        expect(answer.headers.vary).toBe('Origin');
      }
    },
  );

  test('OPTIONS that is no preflight says what an address takes', async () => {
    const { url } = await standWith({ CORS_ORIGINS });
    const answer = await ask(url, '/auth/me', { method: 'OPTIONS', headers: { origin: PORTAL } });
    expect([answer.status, answer.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });
});
