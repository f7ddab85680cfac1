import { describe, expect, test } from '@jest/globals';
import { identityOf, tenantAllowed } from './claims.rules.ts';

const any = { preset: undefined, issuer: new URL('https://id.example.org') };
const entra = { preset: 'entra' as const, issuer: new URL('https://login.microsoftonline.com/common/v2.0') };
const token = { sub: 's1', name: 'Somebody', email: 'Some.One@Example.org', email_verified: true };
const emailOf = (
  claims: object,
  userInfo: object | null = null,
  provider: Parameters<typeof identityOf>[0] = any,
) => identityOf(provider, claims as never, userInfo as never)?.email;

describe('who it is', () => {
  test('is issuer and subject, and the e-mail in lower case', () => {
    expect(identityOf(any, token, null)).toEqual({
      key: { issuer: 'https://id.example.org/', subject: 's1' },
      name: 'Somebody',
      email: 'some.one@example.org',
      emailNamed: true,
    });
  });

  test('is tenant and object with Microsoft, whatever the application’s subject', () => {
    const claims = { ...token, tid: 'T1', oid: 'o1' };
    const key = { issuer: 'urn:entra:t1', subject: 'o1' };
    expect(identityOf(entra, claims, null)?.key).toEqual(key);
    expect(identityOf(entra, { ...claims, sub: 'other' }, null)?.key).toEqual(key);
  });

  test.each([
    [any, {}],
    [any, { sub: '' }],
    [any, { sub: 1 }],
    [entra, { sub: 's1', oid: 'o1' }],
    [entra, { sub: 's1', tid: 't1' }],
  ])('is nobody without it', (provider, claims) => {
    expect(identityOf(provider, claims, null)).toBeNull();
  });

  test('has a name in any case', () => {
    expect(identityOf(any, { sub: 's1' }, null)?.name).toBe('s1');
    expect(identityOf(any, { ...token, name: undefined }, null)?.name).toBe('some.one@example.org');
    expect(identityOf(any, { ...token, name: 'x'.repeat(500) }, null)?.name).toHaveLength(120);
  });
});

describe('an e-mail address counts', () => {
  test.each([false, undefined, null, 'true', 1])(
    'not where it is %j that it was verified',
    (email_verified) => {
      expect(emailOf({ ...token, email_verified })).toBeNull();
    },
  );

  test('when UserInfo says both and the ID token names none', () => {
    expect(emailOf({ sub: 's1' }, token)).toBe('some.one@example.org');
  });

  test('not when one document names it and the other says it was verified', () => {
    const { email, email_verified } = token;
    expect(emailOf({ sub: 's1', email }, { sub: 's1', email_verified })).toBeNull();
    expect(emailOf({ sub: 's1', email_verified }, { sub: 's1', email })).toBeNull();
    expect(emailOf({ ...token, email_verified: false }, token)).toBeNull();
  });

  test.each([
    'a',
    'a@b',
    'a@evil.example, b@example.org',
    'a@evil.example@example.org',
    'a b@example.org',
    ['a@b.c'],
  ])('not when it reads %j', (email) => {
    expect(emailOf({ ...token, email })).toBeNull();
  });

  test('with Microsoft by its own claims, not by email_verified', () => {
    const person = { ...token, tid: 't1', oid: 'o1' };
    expect(emailOf(person, null, entra)).toBeNull();
    for (const xms_edov of [true, 1, '1', 'true'])
      expect(emailOf({ ...person, xms_edov }, null, entra)).toBe('some.one@example.org');
    for (const xms_edov of [false, 0, '0', 'false', null, {}])
      expect(emailOf({ ...person, xms_edov }, null, entra)).toBeNull();
    const verified_primary_email = ['other@example.org', 'some.one@example.ORG'];
    expect(emailOf({ ...person, verified_primary_email }, null, entra)).toBe('some.one@example.org');
    expect(emailOf({ ...person, verified_primary_email: ['x@example.org'] }, null, entra)).toBeNull();
  });
});

describe('a tenant', () => {
  const settings = (allowedTenants: string[], preset?: 'google' | 'entra') => ({ preset, allowedTenants });

  test('is anyone’s where no list is set', () => {
    expect(tenantAllowed(settings([]), {})).toBe(true);
  });

  test('must be on the list, where there is one', () => {
    expect(tenantAllowed(settings(['t1', 't2']), { tid: 'T2' })).toBe(true);
    for (const tid of ['t3', 't', '', undefined, null, ['t1'], { t1: 1 }])
      expect(tenantAllowed(settings(['t1', 't2']), { tid })).toBe(false);
  });

  test('is the hosted domain with Google', () => {
    expect(tenantAllowed(settings(['example.org'], 'google'), { hd: 'Example.org' })).toBe(true);
    expect(tenantAllowed(settings(['example.org'], 'google'), { tid: 'example.org' })).toBe(false);
  });
});
