import { expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { digestOf, inviteUrl, newInvite, partsOf, tokenOf } from './invite.rules.ts';

test('an invitation ends after 72 hours and has 256 bits nobody knows', () => {
  const now = new Date('2026-03-01T12:00:00.000Z');
  const { secret, expires_at } = newInvite(now);
  expect(expires_at.toISOString()).toBe('2026-03-04T12:00:00.000Z');
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  expect(newInvite(now).secret).not.toBe(secret);
});

test('a token is read back as it was made', () => {
  const [org, { secret }] = [v7(), newInvite(new Date())];
  expect(partsOf(tokenOf(org, secret))).toEqual({ org, secret });
  const url = new URL(inviteUrl('https://muster.example.org', tokenOf(org, secret)));
  expect(url.pathname).toBe('/auth/invite');
  expect(url.searchParams.get('token')).toBe(`${org}.${secret}`);
});

test.each([
  '',
  '.',
  'abc',
  `${v7()}`,
  `${v7()}.`,
  `${v7()}.short`,
  `shared.${'a'.repeat(43)}`,
  `${v7()}.${'a'.repeat(44)}`,
  `${v7()}.${'$'.repeat(43)}`,
])('%j is no token', (token) => {
  expect(partsOf(token)).toBeNull();
});

test('the digest is SHA-256', () => {
  // FIPS 180-2, appendix B.1.
  expect(Buffer.from(digestOf('abc'), 'base64url').toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
