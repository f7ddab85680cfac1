import { describe, expect, test } from '@jest/globals';
import { addressKey, cleanAddress } from './address.rules.ts';

describe('addresses of one page have one key', () => {
  test.each([
    ['https://News.Example.org/a', 'http://news.example.org:80/a/'],
    ['https://news.example.org/a', 'https://news.example.org:443/a?utm_source=x&fbclid=y#part'],
    ['https://news.example.org/a?x=1&y=2', 'https://news.example.org/a?y=2&utm_medium=z&x=1'],
    ['https://news.example.org', 'https://news.example.org/index.html'],
    ['https://news.example.org/%c3%bc', 'https://news.example.org/ü'],
    ['https://news.example.org/a//b', 'https://news.example.org/a/b'],
  ])('%s is %s', (one, other) => {
    expect(addressKey(one)).toBe(addressKey(other));
  });
});

test.each([
  ['https://news.example.org/a', 'https://news.example.org/A'],
  ['https://news.example.org/?p=1', 'https://news.example.org/?p=2'],
  ['https://news.example.org/', 'https://example.org/'],
  ['https://news.example.org:8443/', 'https://news.example.org/'],
])('%s is not %s', (one, other) => {
  expect(addressKey(one)).not.toBe(addressKey(other));
});

test('an address is kept without what tells who followed it', () => {
  expect(cleanAddress('https://u:p@news.example.org/a?id=7&UTM_campaign=x&gclid=1#top')).toBe(
    'https://news.example.org/a?id=7',
  );
});
