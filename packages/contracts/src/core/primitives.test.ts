import { expect, test } from '@jest/globals';
import { timestamp } from './primitives.ts';

test.each([
  ['2026-03-01T10:30:00+01:00', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01T09:30:00Z', '2026-03-01T09:30:00.000Z'],
])('%s is %s', (given, kept) => {
  expect(timestamp.parse(given)).toBe(kept);
});

test.each(['yesterday', '', '2026-03-01', '2026-13-01T00:00:00Z', '2026-02-30T00:00:00Z'])(
  '"%s" is refused, not raised',
  (given) => {
    expect(timestamp.safeParse(given).success).toBe(false);
  },
);
