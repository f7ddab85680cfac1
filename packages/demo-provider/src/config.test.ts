import { expect, test } from '@jest/globals';
import { DEMO_PEOPLE } from '@muster/contracts';
import { providerConfig } from './config.ts';

const given = {
  ISSUER: 'http://127.0.0.1:29000/',
  CLIENT_ID: 'muster',
  CLIENT_SECRET: 'sixteen characters',
  REDIRECT_URIS: 'http://127.0.0.1:8080/callback, http://127.0.0.1:8081/callback',
};

test('the issuer has no slash at its end, lists are split, and the people are the demo people', () => {
  const config = providerConfig(given);
  expect(config.ISSUER).toBe('http://127.0.0.1:29000');
  expect(config.REDIRECT_URIS).toEqual(['http://127.0.0.1:8080/callback', 'http://127.0.0.1:8081/callback']);
  expect(config.PEOPLE.map(({ sub }) => sub)).toEqual(DEMO_PEOPLE.map(({ sub }) => sub));
  expect(config.PEOPLE.every((one) => one.email_verified)).toBe(true);
});

test.each([
  'http://0.0.0.0:29000',
  'https://127.0.0.1:29000',
  'http://example.org',
  'http://127.0.0.1.nip.io:1',
])('an issuer beyond loopback is refused: %s', (ISSUER) => {
  expect(() => providerConfig({ ...given, ISSUER })).toThrow('ISSUER (expected http://127.0.0.1:<port>)');
});

test('one line names every variable that is missing or wrong', () => {
  expect(() => providerConfig({ PEOPLE: '[', REDIRECT_URIS: 'nowhere' })).toThrow(
    /^These variables are missing or wrong: ISSUER .*CLIENT_ID .*CLIENT_SECRET .*REDIRECT_URIS.*PEOPLE \(expected a list in JSON\)$/,
  );
});
