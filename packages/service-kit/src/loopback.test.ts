import { expect, test } from '@jest/globals';
import { isLoopback } from './loopback.ts';

test.each([
  '127.0.0.1',
  '127.255.3.9',
  '::1',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '::ffff:127.0.0.1',
  '[::ffff:7f00:1]',
  'localhost',
  'LOCALHOST',
  'app.localhost',
])('%s can only mean this machine', (host) => {
  expect(isLoopback(host)).toBe(true);
});

test.each([
  '',
  '0.0.0.0',
  '::',
  '[::]',
  '128.0.0.1',
  '127.1',
  '127.0.0.1.example.com',
  '127.999.0.1',
  '::ffff:10.0.0.1',
  '::7f00:1',
  'localhost.example.com',
  'notlocalhost',
  '[127.0.0.1',
  'example.com',
])('%s can mean another', (host) => {
  expect(isLoopback(host)).toBe(false);
});
