import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { linkPerson } from '../src/links/link.service.ts';
import { inside, newOwner } from './identity.fixture.ts';
import { type Logins, newBrowser, startLogins } from './login.fixture.ts';

/** Addresses of another site, as people have hidden them from checks. */
const FOREIGN = [
  'https://evil.example/',
  'HTTPS://evil.example/',
  '//evil.example/',
  '///evil.example/',
  '////evil.example',
  '/\\evil.example/',
  '\\\\evil.example/',
  '\\/evil.example',
  '/\t/evil.example/',
  '/\n/evil.example/',
  '\u0000//evil.example',
  ' //evil.example',
  '/\u00a0/evil.example',
  '/.//evil.example/',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '/%2f/evil.example',
  '/%5cevil.example',
  '/%09/evil.example',
  'https:evil.example',
  'https:/evil.example',
  'http://127.0.0.1:1/',
  'http://127.0.0.1@evil.example/',
  'http://127.0.0.1.evil.example/',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '?x=1\r\nSet-Cookie: a=b',
];

let logins: Logins;

beforeAll(async () => {
  logins = await startLogins();
  const owner = await newOwner(logins.service);
  const { issuer } = logins.hostile;
  await linkPerson(
    inside(logins.service, owner.org),
    { issuer: `${issuer}/`, subject: logins.person.sub },
    owner.id,
  );
});
afterAll(async () => {
  await logins?.stop();
});

async function landing(return_to: string): Promise<string | null> {
  const { service, hostile } = logins;
  const browser = newBrowser(service);
  const answer = await browser.get(await hostile.signIn(await browser.begin('provider-b', { return_to })));
  expect(answer.status).toBe(302);
  return answer.headers.get('location');
}

test('a path of this site is where the login leads', async () => {
  expect(await landing('/sessions/?status=completed')).toBe('/sessions/?status=completed');
});

test.each(FOREIGN)('return_to=%j stays on this site', async (foreign) => {
  const path = await landing(foreign);
  expect(path).toMatch(/^\/(?![/\\])/);
  const { origin } = new URL(logins.service.url);
  expect(new URL(path ?? '', origin).origin).toBe(origin);
  expect(path).not.toContain('evil.example');
});
