import { expect, test } from '@jest/globals';
import { afterFailure } from './failure.rules.ts';

test('goes through the retry queues in order, then is parked', () => {
  const delays = [5_000, 30_000];
  expect(afterFailure(0, delays)).toEqual({ kind: 'retry', delayMs: 5_000, attempt: 1 });
  expect(afterFailure(1, delays)).toEqual({ kind: 'retry', delayMs: 30_000, attempt: 2 });
  expect(afterFailure(2, delays)).toEqual({ kind: 'park' });
  expect(afterFailure(0, [])).toEqual({ kind: 'park' });
});
