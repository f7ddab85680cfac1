import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { searchWords, wordsOf } from './word.rules.ts';

const event = { title: '', source: '', assets: [], users: [], indicators: [] };

describe('words', () => {
  test.each([
    ['Credential dump on DC-01 (10.0.0.7)!', ['credential', 'dump', 'dc-01', '10.0.0.7']],
    [
      '"CORP\\a.meier", b@example.org; https://x.example/a?b=1',
      ['corp\\a.meier', 'b@example.org', 'https://x.example/a'],
    ],
    ['Zugriff für GÄSTE — 日本語', ['zugriff', 'für', 'gäste', '日本語']],
    ['... -- !', []],
  ])('%j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test('of any text are bounded, in lower case, and the words of words are those words', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (title) => {
        const words = searchWords({ ...event, title });
        expect(words.length).toBeLessThanOrEqual(64);
        for (const word of words) {
          expect(word.length).toBeLessThanOrEqual(100);
          expect(wordsOf(word)).toEqual([word]);
        }
      }),
    );
  });
});

test('an event is found by all it names, also by names without their domain', () => {
  const words = searchWords({
    title: 'Beacon',
    source: 'Acme EDR',
    assets: [{ name: 'WS-042.corp.example' }],
    users: ['CORP\\A.Meier', 'b.huber@example.org'],
    indicators: [{ type: 'ipv4', value: '203.0.113.7' }],
  });
  expect(words).toEqual(
    expect.arrayContaining([
      'beacon',
      'acme',
      'edr',
      'ws-042',
      'ws-042.corp.example',
      'a.meier',
      'corp\\a.meier',
      'b.huber',
      '203.0.113.7',
    ]),
  );
});

test('what names many things keeps the words of its title', () => {
  const users = Array.from({ length: 100 }, (_, at) => `user-${at}@example.org`);
  expect(searchWords({ ...event, title: 'Password spraying', users })).toEqual(
    expect.arrayContaining(['password', 'spraying']),
  );
});
