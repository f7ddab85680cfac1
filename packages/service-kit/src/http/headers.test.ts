import { describe, expect, test } from '@jest/globals';
import { AppError } from '../errors.ts';
import { idempotencyKeyOf, matchesEtag, waitOf } from './headers.ts';

/** What a call answers, or the code of what it raises. */
function outcome<T>(call: () => T): T | string {
  try {
    return call();
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

describe('waitOf', () => {
  test.each([
    [undefined, 10_000],
    ['respond-async', 0],
    ['Respond-Async', 0],
    ['wait=0', 0],
    ['wait=5', 5_000],
    [' WAIT=60 ', 60_000],
    ['respond-async, wait=5', 5_000],
    ['wait=5,respond-async', 5_000],
    ['wait=3, wait=9', 3_000],
    ['wait=61', 'malformed-header'],
    ['wait=1000', 'malformed-header'],
    ['wait=-1', 'malformed-header'],
    ['wait=1.5', 'malformed-header'],
    ['wait=1e1', 'malformed-header'],
    ['wait=', 'malformed-header'],
    ['wait', 'malformed-header'],
    ['respond-async, wait=x', 'malformed-header'],
    ['wait=5;', 'malformed-header'],
  ])('%j: %j', (prefer, expected) => {
    expect(outcome(() => waitOf(prefer))).toBe(expected);
  });
});

describe('idempotencyKeyOf', () => {
  test.each([[undefined], ['k'], ['0190a-b_c.d:e/f'], ['two words'], ['"quoted"'], ['!'.repeat(255)]])(
    'takes %j',
    (given) => {
      expect(idempotencyKeyOf(given)).toBe(given);
    },
  );

  test.each([[''], [' '], [' k'], ['k '], ['é'], ['a\u0000b'], ['a\tb'], ['x'.repeat(256)], [['a', 'b']]])(
    'refuses %j',
    (given) => {
      expect(outcome(() => idempotencyKeyOf(given))).toBe('malformed-header');
    },
  );
});

describe('matchesEtag', () => {
  test.each([
    ['"a"', '"a"', true],
    ['*', '"a"', true],
    [' * ', '"a"', true],
    ['W/"a"', '"a"', true],
    ['"a"', 'W/"a"', true],
    ['"x", "a"', '"a"', true],
    ['"x",W/"a"', '"a"', true],
    ['"b"', '"a"', false],
    ['"x", "y"', '"a"', false],
    ['a', '"a"', false],
    ['"A"', '"a"', false],
    ['', '"a"', false],
    ['""', '"a"', false],
    ['"a', '"a"', false],
    ['w/"a"', '"a"', false],
  ])('%s against %s: %s', (header, etag, expected) => {
    expect(matchesEtag(header, etag)).toBe(expected);
  });
});
