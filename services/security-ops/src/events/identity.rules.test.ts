import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contentId, expiryOf, groupOf, keyOf, pattern } from './identity.rules.ts';

/** What a reader of JSON has of a value: no prototype of its own, no minus zero. */
const asSent = (value: unknown) => JSON.parse(JSON.stringify(value));

const noon = new Date('2026-03-01T12:00:00Z');

describe('the id of a content', () => {
  test('is the same in whatever order the keys come, and another for another content', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(object, object, (one, other) => {
        const turned = Object.fromEntries(Object.entries(one).reverse());
        expect(contentId(turned)).toBe(contentId(one));
        expect(contentId(other) === contentId(one)).toBe(isDeepStrictEqual(asSent(other), asSent(one)));
      }),
    );
  });

  test('takes a key that every object already has for what it is', () => {
    expect(contentId({ '': { toString: 0 }, ' ': [] })).toBe(contentId({ ' ': [], '': { toString: 0 } }));
    expect(contentId(JSON.parse('{"__proto__":1}'))).not.toBe(contentId({}));
  });
});

test('a key parts source and id, wherever one ends', () => {
  expect(keyOf('a', 'bc')).not.toBe(keyOf('ab', 'c'));
  expect(keyOf('a', 'b')).toBe(keyOf('a', 'b'));
});

describe('a group', () => {
  const like = (title: string, more: { source?: string; techniques?: string[] } = {}, at = noon) =>
    groupOf({ source: 'edr', techniques: ['T1071'], ...more, title }, at);

  test.each([
    ['Beacon 17 from WS-042', 'Beacon 3 from WS-7'],
    ['Login failed from 203.0.113.9', 'login failed from 198.51.100.1'],
    ['Case 0f8fad5b-d9cb-469f-a165-70867728950e', 'Case 7c9e6679-7425-40de-944b-e07fc1f90ae7'],
    ['Ports 1, 2, 3 open', 'Ports 80 open'],
  ])('holds %j and %j', (one, other) => {
    expect(like(other)).toBe(like(one));
  });

  test('does not hold what differs in words, source, technique or day', () => {
    const all = [
      like('Beacon from WS-042'),
      like('Malware on WS-042'),
      like('Beacon from WS-042', { source: 'siem' }),
      like('Beacon from WS-042', { techniques: [] }),
      like('Beacon from WS-042', {}, new Date('2026-03-02T00:00:00Z')),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  test('is found for any title, in time', () => {
    fc.assert(fc.property(fc.string({ maxLength: 500 }), (title) => void pattern(title)));
    const began = performance.now();
    for (const unit of ['1', 'a1', '1.', '1 ', '-', '#', 'a-']) pattern(unit.repeat(500 / unit.length));
    expect(performance.now() - began).toBeLessThan(500);
  });
});

test('what came on one day expires at one moment, after the days it is kept', () => {
  const day = fc.date({ min: new Date('2020-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(day, fc.integer({ min: 1, max: 3650 }), (at, days) => {
      const kept = (expiryOf(at, days).getTime() - at.getTime()) / 86_400_000;
      expect(kept).toBeGreaterThan(days);
      expect(kept).toBeLessThanOrEqual(days + 1);
    }),
  );
  expect(expiryOf(noon, 1)).toEqual(new Date('2026-03-03T00:00:00Z'));
});
