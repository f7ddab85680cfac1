import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { returnPath } from './return.rules.ts';

const ORIGIN = 'https://muster.example.org';

describe('where someone lands after a login', () => {
  test.each([
    [undefined, '/'],
    ['', '/'],
    ['/', '/'],
    ['/sessions', '/sessions'],
    ['/sessions/?status=completed&q=a%20b', '/sessions/?status=completed&q=a%20b'],
    ['/intel?url=https://news.example.org//a', '/intel?url=https://news.example.org//a'],
    ['/sessions#scores', '/sessions'],
    ['sessions', '/sessions'],
    [`${ORIGIN}/members`, '/members'],
    ['https://MUSTER.example.org:443/members', '/members'],
    ['/a/../members', '/members'],
    ['/Übung', '/%C3%9Cbung'],
  ])('%s leads to %s', (asked, path) => {
    expect(returnPath(asked, ORIGIN)).toBe(path);
  });

  test.each([
    '/auth/login',
    '/auth/logout',
    '/auth/provider-a/login?return_to=/auth/provider-a/login',
    '/auth/provider-b/callback?code=a&state=b',
    '/auth',
    '/AUTH/login',
    '/%61uth/login',
    '/x/../auth/login',
    `${ORIGIN}/auth/login`,
  ])('%s would sign in or out again: home', (asked) => {
    expect(returnPath(asked, ORIGIN)).toBe('/');
  });

  test('whatever is asked for, it is a path of this site', () => {
    const parts = fc.constantFrom(
      '/',
      '//',
      '\\',
      '\t',
      '\n',
      '@',
      ':',
      '.',
      '%2f',
      '%5c',
      'https:',
      'a',
      '?',
      '#',
      ' ',
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(parts, { maxLength: 8 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(texts, (asked) => {
        const path = returnPath(asked, ORIGIN);
        expect(path).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/);
        expect(new URL(path, ORIGIN).origin).toBe(ORIGIN);
      }),
    );
  });
});
