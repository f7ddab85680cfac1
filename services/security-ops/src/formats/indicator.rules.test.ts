import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { indicatorsIn, indicatorsOf, isTelling, refanged, typeOf } from './indicator.rules.ts';

describe('an indicator', () => {
  test.each([
    ['203.0.113.7', 'ipv4'],
    ['2001:db8::1', 'ipv6'],
    ['evil.example', 'domain'],
    ['xn--bcher-kva.example', 'domain'],
    ['https://evil.example/a?b=c', 'url'],
    ['a@evil.example', 'email'],
    ['d41d8cd98f00b204e9800998ecf8427e', 'md5'],
    ['da39a3ee5e6b4b0d3255bfef95601890afd80709', 'sha1'],
    ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 'sha256'],
    ['999.1.1.1', 'other'],
    ['HKLM\\Software\\Run', 'other'],
    ['deadbeef', 'other'],
  ])('%s is of type %s', (value, type) => {
    expect(typeOf(value)).toBe(type);
  });

  test.each([
    ['hxxps://evil[.]example/a', 'https://evil.example/a'],
    ['hxxp[:]//evil(.)example', 'http://evil.example'],
    ['203[.]0[.]113[.]7', '203.0.113.7'],
    ['a[at]evil[dot]example', 'a@evil.example'],
    ['evil{.}example', 'evil.example'],
    ['evil.example', 'evil.example'],
  ])('%s means %s', (value, meant) => {
    expect(refanged(value)).toBe(meant);
  });

  test('is stored once, in lower case where case says nothing', () => {
    expect(
      indicatorsOf([
        'EVIL.example',
        'evil[.]example',
        { type: 'domain', value: 'evil.example' },
        'https://X.example/Path',
      ]),
    ).toEqual([
      { type: 'domain', value: 'evil.example' },
      { type: 'url', value: 'https://X.example/Path' },
    ]);
  });

  test('that is refanged once stays as it is', () => {
    fc.assert(fc.property(fc.webUrl(), (url) => expect(refanged(refanged(url))).toBe(refanged(url))));
  });
});

describe('a text', () => {
  test('names them, defanged or not, without the sentence around them', () => {
    const text =
      'Beacon to 203.0.113[.]7 and hxxps://evil[.]example/a, then updates[.]example. File d41d8cd98f00b204e9800998ecf8427e.';
    expect(indicatorsIn(text)).toEqual([
      '203.0.113[.]7',
      'hxxps://evil[.]example/a',
      'updates[.]example',
      'd41d8cd98f00b204e9800998ecf8427e',
    ]);
  });

  test.each(['version 10.2.3.4.5', 'powershell.exe started', '10.0.0.7 to 192.168.1.1', 'the ratio 1.2.3'])(
    'names none in %j',
    (text) => {
      expect(indicatorsIn(text)).toEqual([]);
    },
  );

  test('of any kind is read in time', () => {
    const began = performance.now();
    for (const unit of ['a', 'a.', '1.', '[.]', 'a@', 'hxxp://', '0'])
      indicatorsIn(unit.repeat(20_000 / unit.length));
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

test.each([
  ['10.1.2.3', false],
  ['172.16.0.1', false],
  ['172.32.0.1', true],
  ['100.64.0.1', false],
  ['fe80::1', false],
  ['::1', false],
  ['203.0.113.7', true],
  ['evil.example', true],
])('%s tells who it was: %s', (value, telling) => {
  expect(isTelling(value)).toBe(telling);
});
