import type { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { addressKey, callerAddress } from './caller.ts';

describe('addressKey', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:ffff::', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1:2:3:4', 'fe80:0:0:0::/64'],
  ])('%s is counted as %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });
});

describe('callerAddress', () => {
  const socket = { remoteAddress: '10.0.0.9' } as Socket;

  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7:4711', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['unknown', '10.0.0.9'],
    ['192.0.2.7, evil', '10.0.0.9'],
    ['', '10.0.0.9'],
    [undefined, '10.0.0.9'],
  ])('%s is %s', (ip, address) => {
    expect(callerAddress({ ip, socket })).toBe(address);
  });
});
