import { expect } from '@jest/globals';
import { LOGIN_COOKIE, loginApi, type Role, SESSION_COOKIE, type settingsApi } from '@muster/contracts';
import { freePort } from '@muster/devstack';
import {
  type HostileProvider,
  type ProviderOptions,
  providerVariables,
  startHostileProvider,
  startProvider,
  type TestProvider,
} from '@muster/testing';
import { v7 } from 'uuid';
import type { z } from 'zod';
import { inviteMember } from '../src/invites/invite.service.ts';
import { updateSettings } from '../src/settings/change.service.ts';
import { type Identity, inside, startIdentity } from './identity.fixture.ts';

type Person = NonNullable<ProviderOptions['people']>[number];
export type Id = 'provider-a' | 'provider-b';

/** Identity with two logins: A is a real provider in its own process, B one that misbehaves on command. */
export interface Logins {
  service: Identity;
  real: TestProvider;
  hostile: HostileProvider;
  /** Whom the hostile one signs in. */
  person: Person;
  stop(): Promise<void>;
}

/** Starts both logins. @param people whom the real one knows; the demo people unless given */
export async function startLogins(
  people?: Person[],
  variables: Record<string, string> = {},
): Promise<Logins> {
  const port = String(await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const real = await startProvider({
    people,
    redirectUris: [`${origin}/auth/provider-a/callback`],
    postLogoutRedirectUris: [`${origin}/`],
  });
  const person = newPerson();
  const hostile = await startHostileProvider({}, person);
  const service = await startIdentity({
    SERVICE_PORT: port,
    JWKS_URL: `${origin}/.well-known/jwks.json`,
    PUBLIC_ORIGIN: origin,
    ...providerVariables('A', real),
    ...providerVariables('B', hostile),
    ...variables,
  });
  return {
    service,
    real,
    hostile,
    person,
    async stop() {
      await service.stop();
      await hostile.stop();
      await real.stop();
    },
  };
}

/** Somebody new, at a domain of their own, with a verified address. */
export function newPerson(more: Partial<Person> = {}): Person {
  const sub = v7();
  return { sub, name: 'Somebody new', email: `someone@${sub}.example.org`, email_verified: true, ...more };
}

/** A browser: it keeps cookies and follows no redirect by itself. */
export interface Browser {
  cookies: Map<string, string>;
  get(address: string): Promise<Response>;
  /** Begins a login and answers where the provider is to be met. */
  begin(id: Id, query?: Record<string, string>): Promise<string>;
}

/** A browser that has never been there. */
export function newBrowser({ url }: Pick<Identity, 'url'>): Browser {
  const cookies = new Map<string, string>();
  const browser: Browser = {
    cookies,
    async get(address) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(new URL(address, url), { headers: { cookie }, redirect: 'manual' });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      return answer;
    },
    async begin(id, query = {}) {
      const answer = await browser.get(`/auth/${id}/login?${new URLSearchParams(query)}`);
      expect({ status: answer.status, cookie: cookies.has(LOGIN_COOKIE) }).toEqual({
        status: 302,
        cookie: true,
      });
      return answer.headers.get('location') ?? '';
    },
  };
  return browser;
}

/** Signs a person in with the real provider and answers what the callback answered. */
export async function signIn(
  { service, real }: Logins,
  sub: string,
  query: Record<string, string> = {},
  browser: Browser = newBrowser(service),
): Promise<{ answer: Response; browser: Browser }> {
  const callback = await real.signIn(await browser.begin('provider-a', query), sub);
  return { answer: await browser.get(callback), browser };
}

/** The session's cookie value of a browser that has signed in. */
export function sessionCookie({ cookies }: Browser): string {
  const value = cookies.get(SESSION_COOKIE);
  if (value === undefined) throw new Error('This browser has no session');
  return value;
}

/** The token that the gateway gets for a browser's cookie. */
export async function tokenOf(service: Identity, cookie: string): Promise<string> {
  return (await service.client(loginApi).exchangeSession({ body: { cookie } })).body.token;
}

/** Expects a failed login: a page with this status and title, and no session. */
export async function expectRefused(
  answer: Response,
  status: 400 | 401 | 403,
  title: string | RegExp,
): Promise<void> {
  const text = await answer.text();
  const [, heading = text] = /<h1>(.*)<\/h1>/.exec(text) ?? [];
  expect({ status: answer.status, heading }).toEqual({ status, heading: expect.stringMatching(title) });
  expect(answer.headers.get('content-type')).toContain('text/html');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
  expect(answer.headers.getSetCookie().join()).not.toContain(SESSION_COOKIE);
}

/** Invites someone to an organization and answers the token of their link. */
export async function invite(service: Identity, org: string, email: string, role: Role): Promise<string> {
  const made = await inside(service, org).inTransaction((ctx) => inviteMember(ctx, { email, role }));
  return new URL(made.invite.url ?? '').searchParams.get('token') ?? '';
}

type SettingsInput = z.output<(typeof settingsApi)['endpoints']['updateSettings']['body']>;

/** Changes an organization's settings. */
export async function set(service: Identity, org: string, input: Partial<SettingsInput>): Promise<void> {
  const whole = input as SettingsInput;
  await inside(service, org).inTransaction((ctx) => updateSettings(ctx, whole, () => undefined));
}
