import { afterEach, describe, expect, test } from '@jest/globals';
import { ask, exchangeBytes } from '@muster/testing';
import { PRODUCTION, type Stand, startStand } from './stand.ts';

let stand: Stand | undefined;
afterEach(() => stand?.stop());

const SELF = PRODUCTION.PUBLIC_ORIGIN;
const FOREIGN = 'https://evil.example';
const CROSS_SITE = { status: 403, type: 'urn:muster:problem:cross-site' };
const cookie = '__Host-muster_session=good';
const standWith = async (variables: Record<string, string>) => {
  stand = await startStand(variables);
  stand.identity.sessions.set('good', 300);
  return stand;
};
const post = (url: string, headers: Record<string, string>, method = 'POST') =>
  ask(url, method === 'DELETE' ? '/api/scenarios/a.json' : '/api/sessions/', { method, headers });

describe('a change by cookie', () => {
  test.each([
    ['our own origin', { origin: SELF }],
    ['our own origin, told twice', { origin: SELF, 'sec-fetch-site': 'same-origin' }],
    ['no origin, but from a page of ours', { 'sec-fetch-site': 'same-origin' }],
  ])('passes from %s', async (_what, headers) => {
    const { url } = await standWith(PRODUCTION);
    expect((await post(url, { cookie, ...headers })).status).toBe(200);
    expect((await post(url, { cookie, ...headers }, 'DELETE')).status).toBe(200);
  });

  test.each<[string, Record<string, string>]>([
    ['another site', { origin: FOREIGN }],
    ['another site that says it is not', { origin: FOREIGN, 'sec-fetch-site': 'same-origin' }],
    ['a page without an origin', { origin: 'null' }],
    ['our host over http', { origin: SELF.replace('https', 'http') }],
    ['our host on another port', { origin: `${SELF}:8443` }],
    ['a host that begins as ours', { origin: `${SELF}.evil.example` }],
    ['a subdomain', { origin: SELF.replace('://', '://x.') }],
    ['our origin in capitals', { origin: SELF.toUpperCase() }],
    ['our origin with a path', { origin: `${SELF}/` }],
    ['the host that was asked for, which anybody can name', { origin: 'http://127.0.0.1' }],
    ['an empty origin', { origin: '' }],
    ['nobody knows where', {}],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a subdomain of ours', { 'sec-fetch-site': 'same-site' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['our page, as only its referrer says', { referer: `${SELF}/page` }],
  ])('is refused from %s', async (_what, headers) => {
    const { url, exercises, identity } = await standWith(PRODUCTION);
    for (const method of ['POST', 'DELETE'])
      expect((await post(url, { cookie, ...headers }, method)).json()).toMatchObject(CROSS_SITE);
    expect([exercises.received, identity.exchanged]).toEqual([[], []]);
  });

  test('is refused from two origins at once', async () => {
    const { url } = await standWith(PRODUCTION);
    const got = await exchangeBytes(
      url,
      `POST /api/sessions/ HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nOrigin: ${SELF}\r\nOrigin: ${FOREIGN}\r\nConnection: close\r\n\r\n`,
    );
    expect(got).toMatch(/^HTTP\/1\.1 403/);
  });

  test('needs nothing of the kind to read, but a foreign page may not even read', async () => {
    const { url } = await standWith(PRODUCTION);
    const read = (headers: Record<string, string>) => ask(url, '/api/sessions/', { headers });
    expect((await read({ cookie })).status).toBe(200);
    expect((await read({ cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(200);
    expect((await read({ cookie, origin: FOREIGN })).json()).toMatchObject(CROSS_SITE);
  });

  test('a bearer token needs nothing of the kind', async () => {
    const { url } = await standWith(PRODUCTION);
    const headers = { cookie, authorization: 'Bearer x', origin: FOREIGN };
    expect((await post(url, headers)).status).toBe(200);
  });
});

describe('development mode', () => {
  test.each<[string, (url: string) => Record<string, string>]>([
    ['curl', () => ({})],
    ['a page from where it was asked', (url) => ({ origin: url })],
    ['a page of PUBLIC_ORIGIN', () => ({ origin: 'http://localhost:9' })],
    ['a page of ours that sends no origin', () => ({ 'sec-fetch-site': 'same-origin' })],
  ])('lets %s act as the demo owner', async (_what, headersFor) => {
    const { url } = await standWith({ PUBLIC_ORIGIN: 'http://localhost:9' });
    expect((await post(url, headersFor(url))).status).toBe(200);
  });

  test.each<[string, Record<string, string>]>([
    ['a foreign page', { origin: FOREIGN }],
    ['a page on another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['a page without an origin', { origin: 'null' }],
    ['a foreign page that sends no origin', { 'sec-fetch-site': 'cross-site' }],
  ])('does not let %s', async (_what, headers) => {
    const { url, exercises } = await standWith({});
    for (const method of ['POST', 'DELETE'])
      expect((await post(url, headers, method)).json()).toMatchObject(CROSS_SITE);
    expect(exercises.received).toEqual([]);
  });
});

describe('the name a request was sent to', () => {
  const asked = async (host: string, headers: Record<string, string> = {}) =>
    (await ask(stand?.url ?? '', '/auth/me', { headers: { host, ...headers } })).json();
  const REFUSED = { status: 403, type: 'urn:muster:problem:forbidden' };

  test.each([
    'localhost',
    'LOCALHOST:8080',
    'muster.localhost:8080',
    '127.0.0.1',
    '127.9.9.9:1',
    '[::1]:8080',
    'dev.example.org',
    'dev.example.org:8080',
  ])('may be %s in development', async (host) => {
    await standWith({ PUBLIC_ORIGIN: 'http://dev.example.org:8080' });
    expect(await asked(host)).toMatchObject({ method: 'GET' });
  });

  test.each([
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    'evil-localhost',
    '127.0.0.1.evil.example',
    '192.168.0.1',
    '0.0.0.0',
    '[::2]',
    'x.dev.example.org',
  ])('may not be %s: a foreign page could have made it lead here', async (host) => {
    const { identity } = await standWith({ PUBLIC_ORIGIN: 'http://dev.example.org:8080' });
    expect(await asked(host)).toMatchObject(REFUSED);
    expect((await ask(stand?.url ?? '', '/health', { headers: { host } })).status).toBe(403);
    expect(identity.received).toEqual([]);
  });

  test('cannot be talked over by what a proxy would say', async () => {
    await standWith({ TRUSTED_PROXIES: '127.0.0.1' });
    expect(await asked('evil.example', { 'x-forwarded-host': 'localhost' })).toMatchObject(REFUSED);
    expect(await asked('localhost', { 'x-forwarded-host': 'evil.example' })).toMatchObject(REFUSED);
  });

  test('must be known where development is meant to be remote too', async () => {
    await standWith({ MUSTER_ALLOW_REMOTE_DEVELOPMENT: '1', KNOWN_HOSTS: 'dev-box.example, gateway' });
    expect(await asked('dev-box.example')).toMatchObject({ method: 'GET' });
    expect(await asked('gateway:8080')).toMatchObject({ method: 'GET' });
    expect(await asked('evil.example')).toMatchObject(REFUSED);
    expect(await asked('x.dev-box.example')).toMatchObject(REFUSED);
  });

  test('is free in production', async () => {
    await standWith(PRODUCTION);
    expect(await asked('gateway.internal:8080')).toMatchObject({ method: 'GET' });
  });
});
