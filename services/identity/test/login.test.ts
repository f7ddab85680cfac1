import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { identityApi, LOGIN_COOKIE } from '@muster/contracts';
import { DEMO_ORGANIZATION } from '@muster/service-kit';
import { startIdentity } from './identity.fixture.ts';
import {
  expectRefused,
  type Logins,
  newBrowser,
  sessionCookie,
  signIn,
  startLogins,
  tokenOf,
} from './login.fixture.ts';

let logins: Logins;

beforeAll(async () => {
  logins = await startLogins(undefined, { DEMO_PEOPLE: '1' });
});
afterAll(async () => {
  await logins?.stop();
});

test.each([
  ['demo-owner', 'owner'],
  ['demo-facilitator', 'facilitator'],
  ['demo-viewer', 'viewer'],
])('%s signs in with a real provider, and their cookie is worth a token of their role', async (sub, role) => {
  const { service } = logins;
  const { answer, browser } = await signIn(logins, sub, { return_to: '/sessions?open=1' });
  expect(answer.status).toBe(302);
  expect(answer.headers.get('location')).toBe('/sessions?open=1');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const token = await tokenOf(service, sessionCookie(browser));
  const { body } = await service.client(identityApi, token).getMe();
  expect(body).toMatchObject({ organization: DEMO_ORGANIZATION, role, authenticated_by: 'session' });
  expect([...browser.cookies.keys()]).toEqual(['__Host-muster_session']);
});

test('the page to choose a provider names both, and keeps where to go', async () => {
  const page = await newBrowser(logins.service).get('/auth/login?return_to=%2Fsessions');
  const text = await page.text();
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  for (const [id, { name }] of [
    ['provider-a', logins.real],
    ['provider-b', logins.hostile],
  ] as const) {
    expect(text).toContain(`href="/auth/${id}/login?return_to=%2Fsessions"`);
    expect(text).toContain(`Continue with ${name}`);
  }
});

describe('a failed login', () => {
  test('is logged with its reason, and with no secret', async () => {
    const { service, real } = logins;
    const browser = newBrowser(service);
    const callback = new URL(await real.signIn(await browser.begin('provider-a'), 'demo-viewer'));
    callback.searchParams.set('code', 'canary-code');
    const secrets = [
      'canary-code',
      callback.searchParams.get('state') ?? '-',
      browser.cookies.get(LOGIN_COOKIE) ?? '-',
    ];
    const written = jest.spyOn(service.runtime.log, 'info');
    try {
      await expectRefused(await browser.get(callback.href), 401, 'You are not signed in');
      const lines = written.mock.calls;
      expect(lines).toContainEqual([
        { reason: 'provider-answer', code: 'invalid_grant', provider: 'provider-a', address: '127.0.0.1' },
        'a login failed',
      ]);
      for (const secret of [...secrets, real.clientSecret])
        expect(JSON.stringify(lines)).not.toContain(secret);
    } finally {
      written.mockRestore();
    }
  });

  test('for want of Redis says to try again', async () => {
    const { REDIS_URL: _away, ...known } = logins.service.env;
    const variables = { PROVIDER_A_ISSUER: known.PROVIDER_A_ISSUER ?? '', PROVIDER_A_CLIENT_ID: 'muster' };
    const service = await startIdentity({
      ...variables,
      PROVIDER_A_CLIENT_SECRET: known.PROVIDER_A_CLIENT_SECRET ?? '',
      REDIS_URL: 'redis://127.0.0.1:1',
    });
    try {
      const answer = await newBrowser(service).get('/auth/provider-a/login');
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('2');
      expect(await answer.json()).toMatchObject({
        detail: 'Nobody can sign in right now: try again in a moment.',
      });
    } finally {
      await service.stop();
    }
  });
});
