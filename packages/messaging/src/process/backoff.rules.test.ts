import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { backoffMs } from './backoff.rules.ts';

test('doubles from the base up to the maximum, the upper half of it random', () => {
  const wait = { baseMs: 100, maxMs: 1_000 };
  expect([1, 2, 3, 4, 5, 99].map((attempt) => backoffMs(wait, attempt, 0))).toEqual([
    50, 100, 200, 400, 500, 500,
  ]);
  expect(backoffMs(wait, 2, 0.5)).toBe(150);
});

test('is never longer than the maximum nor shorter than half the base', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.integer({ min: 0, max: 100_000 }),
      fc.integer({ min: 1, max: 5_000 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (baseMs, more, attempt, random) => {
        const maxMs = baseMs + more;
        const wait = backoffMs({ baseMs, maxMs }, attempt, random);
        return wait <= maxMs && wait >= Math.floor(baseMs / 2);
      },
    ),
  );
});
