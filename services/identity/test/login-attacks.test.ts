import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { LOGIN_COOKIE } from '@muster/contracts';
import { ask, MISBEHAVIOURS } from '@muster/testing';
import { Redis } from 'ioredis';
import { linkPerson } from '../src/links/link.service.ts';
import { webSessions } from '../src/web-sessions/web-session.model.ts';
import { inside, newOwner, type Person } from './identity.fixture.ts';
import {
  type Browser,
  expectRefused,
  type Logins,
  newBrowser,
  sessionCookie,
  startLogins,
} from './login.fixture.ts';

const CANNOT_GO_ON = 'This sign-in cannot go on';
const NOT_SIGNED_IN = 'You are not signed in';

let logins: Logins;
let owner: Person;

beforeAll(async () => {
  logins = await startLogins(undefined, { DEMO_PEOPLE: '1' });
  const { service, hostile, person } = logins;
  owner = await newOwner(service);
  const key = { issuer: `${hostile.issuer}/`, subject: person.sub };
  await linkPerson(inside(service, owner.org), key, owner.id);
});
afterAll(async () => {
  await logins?.stop();
});
beforeEach(() => {
  logins.hostile.behave();
});

const browserThere = () => newBrowser(logins.service);

/** A login that the provider has ended well, and whose callback nobody has requested yet. */
async function begun(browser: Browser = browserThere()): Promise<{ browser: Browser; callback: string }> {
  const callback = await logins.real.signIn(await browser.begin('provider-a'), 'demo-viewer');
  return { browser, callback };
}

const sessions = () => webSessions(inside(logins.service, owner.org)).count({});

describe('what belongs to one login of one browser', () => {
  test('a callback works once', async () => {
    const { browser, callback } = await begun();
    const cookie = browser.cookies.get(LOGIN_COOKIE) ?? '';
    expect((await browser.get(callback)).status).toBe(302);
    browser.cookies.set(LOGIN_COOKIE, cookie);
    await expectRefused(await browser.get(callback), 400, CANNOT_GO_ON);
  });

  test('a code works once, also in a login of its own', async () => {
    const { browser, callback } = await begun();
    const code = new URL(callback).searchParams.get('code') ?? '';
    expect((await browser.get(callback)).status).toBe(302);
    const second = new URL((await begun(browser)).callback);
    second.searchParams.set('code', code);
    await expectRefused(await browser.get(second.href), 401, NOT_SIGNED_IN);
  });

  test('a code of somebody else’s login does not fit one’s own', async () => {
    const theirs = new URL((await begun()).callback);
    const { browser, callback } = await begun();
    const mixed = new URL(callback);
    mixed.searchParams.set('code', theirs.searchParams.get('code') ?? '');
    await expectRefused(await browser.get(mixed.href), 401, NOT_SIGNED_IN);
  });

  test.each([
    ['without a cookie', (browser: Browser) => browser.cookies.clear()],
    [
      'with another browser’s cookie',
      (browser: Browser) => browser.cookies.set(LOGIN_COOKIE, 'a'.repeat(43)),
    ],
    ['with a damaged cookie', (browser: Browser) => browser.cookies.set(LOGIN_COOKIE, 'a.b"c')],
  ])('%s the callback is refused, and the rightful browser can still end it', async (_what, damage) => {
    const { browser, callback } = await begun();
    const other = browserThere();
    await other.begin('provider-a');
    damage(other);
    await expectRefused(await other.get(callback), 400, CANNOT_GO_ON);
    expect((await browser.get(callback)).status).toBe(302);
  });

  test('after ten minutes it is over', async () => {
    const { browser, callback } = await begun();
    const { REDIS_URL = '', REDIS_PREFIX = '' } = logins.service.env;
    const redis = new Redis(REDIS_URL);
    const kept = await redis.keys(`${REDIS_PREFIX}:login:*`);
    for (const key of kept) expect(await redis.ttl(key)).toBeLessThanOrEqual(600);
    for (const key of kept) await redis.pexpire(key, 0);
    await redis.quit();
    expect(kept.length).toBeGreaterThan(0);
    await expectRefused(await browser.get(callback), 400, CANNOT_GO_ON);
  });

  test('what is kept meanwhile does not show what it holds', async () => {
    const browser = browserThere();
    const address = new URL(
      await browser.begin('provider-a', { return_to: '/canary', setup: 'canary-setup' }),
    );
    const { REDIS_URL = '', REDIS_PREFIX = '' } = logins.service.env;
    const redis = new Redis(REDIS_URL);
    const keys = await redis.keys(`${REDIS_PREFIX}:login:*`);
    const all = JSON.stringify([keys, await redis.mget(keys)]);
    await redis.quit();
    for (const secret of [
      'canary',
      address.searchParams.get('state') ?? '-',
      address.searchParams.get('nonce') ?? '-',
    ])
      expect(all).not.toContain(secret);
  });

  test('a login that begins in a second tab does not end the one in the first', async () => {
    const browser = browserThere();
    const first = await browser.begin('provider-a');
    await browser.begin('provider-a');
    expect((await browser.get(await logins.real.signIn(first, 'demo-viewer'))).status).toBe(302);
  });

  test('a callback at the other provider is refused', async () => {
    const { browser, callback } = await begun();
    const mixed = callback.replace('/auth/provider-a/', '/auth/provider-b/');
    await expectRefused(await browser.get(mixed), 400, CANNOT_GO_ON);
  });
});

describe('a request for a login', () => {
  test('under a host that is not ours begins none', async () => {
    const answer = await ask(logins.service.url, '/auth/provider-a/login', {
      headers: { host: 'evil.example' },
    });
    expect(answer.status).toBe(403);
    expect(answer.headers).not.toHaveProperty('location');
  });

  test('asks for a code with PKCE, state and nonce, and leads back to the configured origin', async () => {
    const { service, real } = logins;
    const { headers } = await ask(service.url, '/auth/provider-a/login', {
      headers: { 'x-forwarded-host': 'evil.example' },
    });
    const address = new URL(headers.location ?? '');
    expect(address.origin).toBe(real.issuer);
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: real.clientId,
      scope: 'openid email profile',
      redirect_uri: `${service.env.PUBLIC_ORIGIN}/auth/provider-a/callback`,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-muster_login=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
  });

  test('is another one each time', async () => {
    const browser = browserThere();
    const [one, other] = [await browser.begin('provider-a'), await browser.begin('provider-a')].map(
      (address) => new URL(address).searchParams,
    );
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(one?.get(name)).not.toBe(other?.get(name));
  });
});

describe('what a provider may answer', () => {
  async function answered(): Promise<Response> {
    const browser = browserThere();
    return await browser.get(await logins.hostile.signIn(await browser.begin('provider-b')));
  }

  test('an honest provider lets its person in', async () => {
    expect((await answered()).status).toBe(302);
  });

  test.each(Object.entries(MISBEHAVIOURS))('with %s nobody comes in', async (_what, misbehaviour) => {
    const before = await sessions();
    logins.hostile.behave(misbehaviour);
    const answer = await answered();
    const text = await answer.clone().text();
    expect([400, 401]).toContain(answer.status);
    await expectRefused(answer, answer.status as 400 | 401, /./);
    // Nothing of what a provider said is repeated.
    expect(text).not.toContain('invalid_grant');
    expect(await sessions()).toBe(before);
  });

  test('someone who says no at the provider is told that they are not signed in', async () => {
    const browser = browserThere();
    const callback = await logins.real.cancel(await browser.begin('provider-a'));
    expect(new URL(callback).searchParams.get('error')).toBe('access_denied');
    await expectRefused(await browser.get(callback), 401, NOT_SIGNED_IN);
  });

  test('an error that somebody made up is not shown', async () => {
    const { browser, callback } = await begun();
    const made = new URL(callback);
    made.searchParams.delete('code');
    made.searchParams.set('error', '<script>alert(1)</script>');
    const answer = await browser.get(made.href);
    expect(await answer.clone().text()).not.toContain('<script');
    await expectRefused(answer, 400, 'The sign-in provider reports an error');
  });

  test.each([
    ['nothing at all', ''],
    ['a code alone', '?code=abc'],
    ['a state that nobody gave out', '?code=abc&state=abc'],
    ['an error alone', '?error=access_denied'],
  ])('a callback with %s is refused', async (_what, search) => {
    await expectRefused(await browserThere().get(`/auth/provider-a/callback${search}`), 400, CANNOT_GO_ON);
  });
});

test('a login always begins a new session, and ends the one before', async () => {
  const { browser, callback } = await begun();
  await browser.get(callback);
  const first = sessionCookie(browser);
  const again = await begun(browser);
  await browser.get(again.callback);
  expect(sessionCookie(browser)).not.toBe(first);
  const body = JSON.stringify({ cookie: first });
  const headers = { 'content-type': 'application/json' };
  const { status } = await fetch(`${logins.service.url}/internal/session-tokens/`, {
    method: 'POST',
    body,
    headers,
  });
  expect(status).toBe(401);
});
