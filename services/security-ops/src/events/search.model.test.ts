import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { occurrenceOf } from './occurrence.rules.ts';
import { conditionsOf, type EventQuery, filterOf, orderOf } from './search.model.ts';

const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
const conditions = (wanted: EventQuery) => conditionsOf(wanted) ?? [];
const filter = (wanted: EventQuery) => plain(filterOf(wanted, conditions(wanted)));

describe('what is wanted', () => {
  test('is nothing where no filter is given, and cannot be met where no word is', () => {
    expect(conditionsOf({})).toEqual([]);
    expect(conditionsOf({ q: '%', source: 'edr' })).toBeNull();
  });

  test('is found by one index for each condition', () => {
    const wanted = {
      severity: 'high',
      q: 'beacon ws-042',
      technique: 'T1071',
      from: '2026-01-01T00:00:00Z',
    } as const;
    expect(conditions(wanted).map(({ index }) => Object.keys(index)[1])).toEqual([
      'severity',
      'technique_ids',
      'words',
      'words',
      'occurrence',
    ]);
    expect(filter(wanted)).toMatchObject({ severity: 'high', technique_ids: 'T1071' });
    expect(filter(wanted).words).toEqual({ $all: ['beacon', 'ws-042'] });
  });

  test('of more words than are counted one by one, all must be there', () => {
    const words = Array.from({ length: 20 }, (_, at) => `word${at}`);
    expect(conditions({ q: words.join(' ') }).length).toBe(8);
    expect(filter({ q: words.join(' ') }).words).toEqual({ $all: words });
    expect(filter({ q: 'one' })).toEqual({ words: 'one' });
  });
});

describe('an occurrence', () => {
  const moment = fc.date({ min: new Date('1990-01-01'), max: new Date('2200-01-01'), noInvalidDate: true });

  test('sorts events as their times do, and those of one moment by id', () => {
    fc.assert(
      fc.property(moment, moment, fc.uuid(), fc.uuid(), (a, b, one, other) => {
        const earlier = a < b || (a.getTime() === b.getTime() && one < other);
        expect(occurrenceOf(a, one) < occurrenceOf(b, other)).toBe(earlier);
      }),
    );
  });

  test('lies within the bounds that its time lies within, both included', () => {
    fc.assert(
      fc.property(moment, moment, moment, fc.uuid(), (at, from, to, id) => {
        const bounds = filter({ from: from.toISOString(), to: to.toISOString() }).occurrence;
        const occurrence = occurrenceOf(at, id);
        expect(bounds.$gte <= occurrence && occurrence <= bounds.$lte).toBe(from <= at && at <= to);
        const own = filter({ from: at.toISOString(), to: at.toISOString() }).occurrence;
        expect(own.$gte <= occurrence && occurrence <= own.$lte).toBe(true);
      }),
    );
  });

  test('orders a list only where a time is asked for', () => {
    expect(orderOf({ source: 'edr' })).toBe('_id');
    expect(orderOf({ to: '2026-01-01T00:00:00Z' })).toBe('occurrence');
  });
});
