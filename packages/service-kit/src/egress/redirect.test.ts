import { describe, expect, test } from '@jest/globals';
import { redirected } from './redirect.ts';

const SECRETS = { authorization: 'Bearer x', cookie: 'a=b', 'x-api-key': 'y', 'proxy-authorization': 'z' };
const ask = (method = 'GET', body?: string) => ({
  url: new URL('https://one.example/a/b'),
  method,
  headers: new Headers({ ...SECRETS, accept: 'text/plain', 'content-type': 'text/plain' }),
  body,
});

describe('a redirect', () => {
  test('on the same origin keeps the headers', () => {
    const to = redirected(ask(), 302, '../c?d');
    expect(to.url.href).toBe('https://one.example/c?d');
    for (const [name, value] of Object.entries(SECRETS)) expect(to.headers.get(name)).toBe(value);
  });

  test.each(['https://two.example/', 'https://one.example:8443/', '//sub.one.example/'])(
    'to %s tells nothing that could be a secret',
    (location) => {
      const { headers } = redirected(ask(), 307, location);
      for (const name of Object.keys(SECRETS)) expect(headers.has(name)).toBe(false);
      expect(headers.get('accept')).toBe('text/plain');
    },
  );

  test.each([
    ['POST', 301, 'GET', undefined],
    ['POST', 302, 'GET', undefined],
    ['POST', 303, 'GET', undefined],
    ['PUT', 303, 'GET', undefined],
    ['PUT', 302, 'PUT', 'text'],
    ['POST', 307, 'POST', 'text'],
    ['POST', 308, 'POST', 'text'],
  ])('of a %s by %i is a %s', (method, status, becomes, body) => {
    const to = redirected(ask(method, 'text'), status, '/c');
    expect([to.method, to.body]).toEqual([becomes, body]);
    expect(to.headers.has('content-type')).toBe(body !== undefined);
  });

  test('of a HEAD stays one', () => {
    expect(redirected(ask('HEAD'), 303, '/c').method).toBe('HEAD');
  });

  test.each(['http://one.example/', 'http://two.example/', 'HTTP://one.example/'])(
    'away from https, to %s, is refused',
    (location) => {
      expect(() => redirected(ask(), 302, location)).toThrow(
        expect.objectContaining({ code: 'url-not-allowed' }),
      );
    },
  );

  test('to nowhere is no usable answer', () => {
    expect(() => redirected(ask(), 302, 'https://')).toThrow(
      expect.objectContaining({ code: 'bad-gateway' }),
    );
  });
});
