import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { loginProblems, loginVariables, providersOf } from './provider.variables.ts';

const CREDENTIALS = { PROVIDER_A_CLIENT_ID: 'muster', PROVIDER_A_CLIENT_SECRET: 'secret' };
const TENANT = 'b1c2d3e4-0000-4000-8000-000000000001';

function read(given: Record<string, string>, MUSTER_MODE = 'development') {
  return { ...z.object(loginVariables).parse(given), MUSTER_MODE };
}
const problems = (given: Record<string, string>, mode?: string) =>
  loginProblems(read(given, mode)).map(({ variable, message }) => `${variable}: ${message}`);
const production = (given: Record<string, string>) =>
  problems({ PUBLIC_ORIGIN: 'https://muster.example.org', ...given }, 'production');

describe('a provider', () => {
  test('is any issuer', () => {
    const given = {
      ...CREDENTIALS,
      PROVIDER_A_ISSUER: 'https://id.example.org/realms/one',
      PROVIDER_A_NAME: 'Ours',
    };
    expect(production(given)).toEqual([]);
    expect(providersOf(read(given))).toEqual([
      {
        id: 'provider-a',
        name: 'Ours',
        preset: undefined,
        issuer: new URL('https://id.example.org/realms/one'),
        clientId: 'muster',
        clientSecret: 'secret',
        allowedTenants: [],
      },
    ]);
  });

  test('is Google or Microsoft by a word', () => {
    const google = {
      ...CREDENTIALS,
      PROVIDER_A_PRESET: 'google',
      PROVIDER_A_ALLOWED_TENANTS: ' Example.org, ',
    };
    expect(production(google)).toEqual([]);
    expect(providersOf(read(google))).toMatchObject([
      { name: 'Google', issuer: new URL('https://accounts.google.com'), allowedTenants: ['example.org'] },
    ]);
    const entra = {
      PROVIDER_B_PRESET: 'entra',
      PROVIDER_B_TENANT: TENANT.toUpperCase(),
      PROVIDER_B_CLIENT_ID: 'id',
      PROVIDER_B_CLIENT_SECRET: 'secret',
    };
    expect(production(entra)).toEqual([]);
    expect(providersOf(read(entra))).toMatchObject([
      { id: 'provider-b', name: 'Microsoft', preset: 'entra', allowedTenants: [TENANT] },
    ]);
  });

  test('that is not named is not there', () => {
    expect(problems({})).toEqual([]);
    expect(providersOf(read({}))).toEqual([]);
  });

  test.each([
    [{ PROVIDER_A_CLIENT_ID: 'x' }, 'PROVIDER_A_ISSUER: expected the URL of an OpenID issuer, or a preset'],
    [{ PROVIDER_A_PRESET: 'google', PROVIDER_A_CLIENT_SECRET: 'x' }, 'PROVIDER_A_CLIENT_ID: expected'],
    [{ PROVIDER_A_PRESET: 'google', PROVIDER_A_CLIENT_ID: 'x' }, 'PROVIDER_A_CLIENT_SECRET: expected'],
    [{ ...CREDENTIALS, PROVIDER_A_PRESET: 'entra' }, 'PROVIDER_A_TENANT: expected the id of your tenant'],
    [
      { ...CREDENTIALS, PROVIDER_A_ISSUER: 'http://id.example.org' },
      'PROVIDER_A_ISSUER: expected https; http only',
    ],
    [
      { ...CREDENTIALS, PROVIDER_A_PRESET: 'entra', PROVIDER_A_TENANT: 'organizations' },
      'PROVIDER_A_ALLOWED_TENANTS: expected the ids of the tenants',
    ],
  ])('half set up as %j stops the start with a line that says what to do', (given, line) => {
    expect(problems(given as unknown as Record<string, string>)).toEqual([expect.stringContaining(line)]);
  });

  test('that serves every tenant needs a list of those who may come in', () => {
    const given = { ...CREDENTIALS, PROVIDER_A_PRESET: 'entra', PROVIDER_A_TENANT: 'common' };
    expect(production({ ...given, PROVIDER_A_ALLOWED_TENANTS: TENANT })).toEqual([]);
  });

  test('may speak http on loopback in development, and nowhere in production', () => {
    for (const host of ['127.0.0.1', '[::1]', 'localhost']) {
      const given = { ...CREDENTIALS, PROVIDER_A_ISSUER: `http://${host}:4000` };
      expect(problems(given)).toEqual([]);
      expect(production(given)).toEqual(['PROVIDER_A_ISSUER: expected https']);
    }
  });
});

describe('production', () => {
  test.each(['', 'http://muster.example.org'])('does not start with the origin "%s"', (PUBLIC_ORIGIN) => {
    const given: Record<string, string> = PUBLIC_ORIGIN === '' ? {} : { PUBLIC_ORIGIN };
    expect(problems(given, 'production')).toEqual([
      expect.stringContaining('PUBLIC_ORIGIN: expected the https'),
    ]);
  });

  test('has no demo people', () => {
    expect(production({ DEMO_PEOPLE: '1' })).toEqual([
      expect.stringContaining('DEMO_PEOPLE: lets anyone in'),
    ]);
  });
});

test('an origin is taken without path or slash', () => {
  expect(read({ PUBLIC_ORIGIN: 'https://Muster.example.org/x/' }).PUBLIC_ORIGIN).toBe(
    'https://muster.example.org',
  );
});
