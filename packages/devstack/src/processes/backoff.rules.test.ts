import { expect, test } from '@jest/globals';
import { backoffMs } from './backoff.rules.ts';

test('the pause doubles from half a second to half a minute', () => {
  expect([1, 2, 3, 4].map(backoffMs)).toEqual([500, 1_000, 2_000, 4_000]);
  expect([7, 8, 50, 10_000].map(backoffMs)).toEqual([30_000, 30_000, 30_000, 30_000]);
});

test('no failure yet pauses as the first does', () => {
  expect(backoffMs(0)).toBe(500);
});
