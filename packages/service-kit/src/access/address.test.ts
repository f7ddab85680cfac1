import { expect, test } from '@jest/globals';
import { sameAddress } from './address.ts';

test.each([
  ['192.0.2.10', '192.0.2.10'],
  ['::ffff:192.0.2.10', '192.0.2.10'],
  ['::ffff:c000:20a', '192.0.2.10'],
  ['2001:db8::1', '2001:0DB8:0:0:0:0:0:1'],
  ['2001:db8:0:0::1', '2001:db8::1'],
])('%s is %s', (one, other) => {
  expect(sameAddress(one, other)).toBe(true);
  expect(sameAddress(other, one)).toBe(true);
});

test.each([
  ['192.0.2.10', '192.0.2.1'],
  ['192.0.2.10', '192.0.2.100'],
  ['::192.0.2.10', '192.0.2.10'],
  ['64:ff9b::192.0.2.10', '192.0.2.10'],
  ['2001:db8::1', '2001:db8::2'],
  ['192.0.2.10', null],
  [null, null],
  ['', ''],
  [undefined, undefined],
  ['anywhere', 'anywhere'],
])('%j is not %j', (one, other) => {
  expect(sameAddress(one, other)).toBe(false);
  expect(sameAddress(other, one)).toBe(false);
});
