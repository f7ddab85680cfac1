import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { identityApi, LOGIN_COOKIE, loginApi, type Role, tokenRevoked } from '@muster/contracts';
import { DEMO_ORGANIZATION } from '@muster/service-kit';
import { eventually, problemOf } from '@muster/testing';
import jsonwebtoken from 'jsonwebtoken';
import { v7 } from 'uuid';
import { linkPerson } from '../src/links/link.service.ts';
import { advance, membershipOf } from '../src/members/member.service.ts';
import { type WebSessionDoc, webSessions } from '../src/web-sessions/web-session.model.ts';
import { emitted, everythingStored, inside, startReplica } from './identity.fixture.ts';
import {
  type Browser,
  type Logins,
  newBrowser,
  sessionCookie,
  set,
  signIn,
  startLogins,
} from './login.fixture.ts';

const MINUTE_MS = 60_000;
const MEMBER = 'facilitator@demo.invalid';

let logins: Logins;
let browser: Browser;
let answer: Response;

beforeAll(async () => {
  logins = await startLogins(undefined, { DEMO_PEOPLE: '1', SESSION_IDLE_MINUTES: '30' });
});
afterAll(async () => {
  await logins?.stop();
});
beforeEach(async () => {
  ({ browser, answer } = await signIn(logins, 'demo-facilitator'));
});

const ctx = () => inside(logins.service, DEMO_ORGANIZATION.id);
const client = (token?: string) => logins.service.client(loginApi, token);
const idOf = (cookie: string) => cookie.split('.')[1] ?? '';
const exchange = async (cookie = sessionCookie(browser)) =>
  (await client().exchangeSession({ body: { cookie } })).body;
const refused = (cookie?: string) => problemOf(exchange(cookie).then(() => ({ status: 200 })));
const stored = async (): Promise<WebSessionDoc> => {
  const found = await webSessions(ctx()).findOne({ _id: idOf(sessionCookie(browser)) });
  if (!found) throw new Error('The session is gone');
  return found;
};
const move = async (times: Partial<Pick<WebSessionDoc, 'last_seen_at' | 'expires_at'>>) =>
  await webSessions(ctx()).updateOne({ _id: idOf(sessionCookie(browser)) }, { $set: times });
const fromNow = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS);

describe('the cookie', () => {
  test('is for this host alone, out of reach of scripts, for as long as the session', () => {
    const [session, login] = answer.headers.getSetCookie();
    expect(session).toMatch(
      /^__Host-muster_session=[0-9a-f-]{36}\.[0-9a-f-]{36}\.[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(login).toMatch(/^__Host-muster_login=; Path=\/; Max-Age=0; /);
    expect(browser.cookies.has(LOGIN_COOKIE)).toBe(false);
  });

  test('is stored nowhere, and neither is the ID token in the open', async () => {
    const everything = await everythingStored(logins.service);
    const [, , secret = '-'] = sessionCookie(browser).split('.');
    expect(everything).toContain(idOf(sessionCookie(browser)));
    expect(everything).not.toContain(secret);
    expect(everything).not.toContain('id_token_hint');
  });

  test('that is not whole, or not of this session, is worth nothing', async () => {
    const [org = '', id = '', secret = ''] = sessionCookie(browser).split('.');
    const other = (await signIn(logins, 'demo-owner')).browser;
    const [, , foreign = ''] = sessionCookie(other).split('.');
    const forged = [
      'x',
      '..',
      `${org}.${id}`,
      `${org}.${id}.`,
      `${org}.${id}.${secret.slice(1)}`,
      `${org}.${id}.${secret}a`,
      `${org}.${id}.${secret}.${secret}`,
      `${org}.${id}.${'A'.repeat(43)}`,
      `${org}.${id}.${foreign}`,
      `${org}.${v7()}.${secret}`,
      `${v7()}.${id}.${secret}`,
      `${id}.${org}.${secret}`,
      `{"$ne":null}.${id}.${secret}`,
    ];
    for (const cookie of forged) expect((await refused(cookie)).status).toBe(401);
    expect((await exchange()).token).toBeTruthy();
  });
});

describe('the token for a cookie', () => {
  test('is the session’s, for five minutes, and works like any other', async () => {
    const { token, expires_at } = await exchange();
    const claims = jsonwebtoken.decode(token, { json: true });
    expect(claims).toMatchObject({ jti: idOf(sessionCookie(browser)), kind: 'session', role: 'facilitator' });
    const seconds = (claims?.exp ?? 0) - Date.now() / 1000;
    expect(seconds).toBeGreaterThan(290);
    expect(seconds).toBeLessThanOrEqual(300);
    expect(new Date(expires_at).getTime()).toBe((claims?.exp ?? 0) * 1000);
    const { body } = await logins.service.client(identityApi, token).getMe();
    expect(body).toMatchObject({ role: 'facilitator', authenticated_by: 'session' });
    expect(body.expires_at).toBe((await stored()).expires_at.toISOString());
  });

  test('is for identity’s parts only: no token is needed, and no cache keeps it', async () => {
    const { headers } = await client().exchangeSession({ body: { cookie: sessionCookie(browser) } });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('ends no later than the session', async () => {
    const end = fromNow(2);
    await move({ expires_at: end });
    expect(new Date((await exchange()).expires_at).getTime()).toBeLessThanOrEqual(end.getTime());
  });

  test('carries the role as it is now', async () => {
    await change({ role: 'viewer' });
    expect(jsonwebtoken.decode((await exchange()).token)).toMatchObject({ role: 'viewer' });
    await change({ role: 'facilitator' });
    expect(jsonwebtoken.decode((await exchange()).token)).toMatchObject({ role: 'facilitator' });
  });

  test('is not given to someone who is suspended', async () => {
    await change({ status: 'suspended' });
    expect((await refused()).status).toBe(401);
    await change({ status: 'active' });
    expect((await exchange()).token).toBeTruthy();
  });
});

async function change(to: { role?: Role; status?: 'active' | 'suspended' }): Promise<void> {
  await ctx().inTransaction(async (within) => {
    const found = await membershipOf(within, MEMBER);
    if (found) await advance(within, found, to);
  });
}

describe('a session ends', () => {
  test('when nobody came for the idle time', async () => {
    await move({ last_seen_at: fromNow(-29) });
    expect((await exchange()).token).toBeTruthy();
    await move({ last_seen_at: fromNow(-31) });
    expect((await refused()).status).toBe(401);
  });

  test('at its absolute end, however busy', async () => {
    await move({ expires_at: fromNow(-0.01) });
    expect((await refused()).status).toBe(401);
  });

  test('after the hours that the organization set', async () => {
    await set(logins.service, DEMO_ORGANIZATION.id, { security: { session_hours: 2 } });
    const later = await signIn(logins, 'demo-facilitator');
    expect(later.answer.headers.getSetCookie()[0]).toContain('; Max-Age=7200;');
    await set(logins.service, DEMO_ORGANIZATION.id, { security: { session_hours: 12 } });
  });

  test('and that it is in use is written once a minute at most', async () => {
    const begun = (await stored()).last_seen_at;
    await exchange();
    expect((await stored()).last_seen_at).toEqual(begun);
    await move({ last_seen_at: fromNow(-2) });
    await exchange();
    expect(Date.now() - (await stored()).last_seen_at.getTime()).toBeLessThan(MINUTE_MS / 2);
  });

  test('at logout: its cookie at once, its tokens within five seconds, in every replica', async () => {
    const replica = await startReplica(logins.service);
    const { token } = await exchange();
    const at = (url: string) => fetch(`${url}/auth/me`, { headers: { authorization: `Bearer ${token}` } });
    for (const { url } of [logins.service, replica]) expect((await at(url)).status).toBe(200);
    const id = idOf(sessionCookie(browser));

    const { body, headers } = await client(token).logout();

    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-muster_session=; Path=\/; Max-Age=0; /),
    ]);
    expect((await refused()).status).toBe(401);
    const [event] = await emitted(logins.service, tokenRevoked.type, id);
    expect(event).toMatchObject({ orgid: DEMO_ORGANIZATION.id, data: { jti: id } });
    const { exp = 0 } = jsonwebtoken.decode(token, { json: true }) ?? {};
    const told = event?.data as { expires_at: string } | undefined;
    expect(new Date(told?.expires_at ?? 0).getTime()).toBeGreaterThan(exp * 1000);
    for (const { url } of [logins.service, replica])
      await eventually(async () => expect((await at(url)).status).toBe(401), 5_000);
    await replica.stop();

    const url = new URL(body.provider_logout_url ?? '');
    const home = `${logins.service.env.PUBLIC_ORIGIN}/`;
    expect(url.origin).toBe(logins.real.issuer);
    expect(url.searchParams.get('client_id')).toBe(logins.real.clientId);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(home);
    expect(await logins.real.newVisitor().signOut(url)).toBe(home);
  });

  test('once: a second logout finds nothing to end', async () => {
    const { token } = await exchange();
    await client(token).logout();
    const again = await client(token)
      .logout()
      .catch((error: { status: number }) => error);
    expect([200, 401]).toContain(again.status);
    expect(await emitted(logins.service, tokenRevoked.type, idOf(sessionCookie(browser)))).toHaveLength(1);
  });
});

test('a provider that offers no logout is not led to', async () => {
  const { service, hostile, person } = logins;
  const found = await membershipOf(ctx(), MEMBER);
  await linkPerson(ctx(), { issuer: `${hostile.issuer}/`, subject: person.sub }, found?.user._id ?? '');
  const other = newBrowser(service);
  await other.get(await hostile.signIn(await other.begin('provider-b')));
  const { token } = await exchange(sessionCookie(other));
  expect((await client(token).logout()).body).toEqual({ provider_logout_url: null });
});

test('logging out with anything but a session ends nothing', async () => {
  const { body } = await client().logout();
  expect(body).toEqual({ provider_logout_url: null });
  expect((await exchange()).token).toBeTruthy();
});
