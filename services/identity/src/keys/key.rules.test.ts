import { expect, test } from '@jest/globals';
import { MAX_TOKEN_DAYS } from '@muster/contracts';
import { JWKS_MAX_AGE_S, keepUntil, rotationDue, secondsUntilKnown, thumbprint } from './key.rules.ts';

const at = (time: string) => new Date(time);
const now = at('2026-03-01T12:00:00.000Z');
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1000);

test('the thumbprint is the one RFC 9449 gives for its example key', () => {
  const point = {
    x: 'l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs',
    y: '9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA',
  };
  expect(thumbprint(point)).toBe('0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I');
});

test('a key is due on the day it has signed long enough, not a millisecond before', () => {
  const activated = at('2026-01-30T12:00:00.000Z');
  expect(rotationDue(activated, 30, now)).toBe(true);
  expect(rotationDue(activated, 30, at('2026-03-01T11:59:59.999Z'))).toBe(false);
});

test('a next key signs only after every copy of the JWKS without it has gone', () => {
  const active = { created_at: secondsAgo(86_400) };
  const fresh = secondsUntilKnown({ created_at: now }, active, now);
  expect(fresh).toBeGreaterThan(JWKS_MAX_AGE_S);
  expect(secondsUntilKnown({ created_at: secondsAgo(1) }, active, now)).toBe(fresh - 1);
  expect(secondsUntilKnown({ created_at: secondsAgo(fresh) }, active, now)).toBe(0);
});

test('the first two keys are published together, so the second may sign at once', () => {
  expect(secondsUntilKnown({ created_at: now }, { created_at: now }, now)).toBe(0);
});

test('a retired key outlives the longest token it can have signed', () => {
  const longest = now.getTime() + MAX_TOKEN_DAYS * 86_400_000;
  expect(keepUntil(now).getTime()).toBeGreaterThan(longest);
});
