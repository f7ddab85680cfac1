import { describe, expect, test } from '@jest/globals';
import { CAPABILITIES, DAY_MS } from '@muster/contracts';
import fc from 'fast-check';
import type { DayRow } from './dashboard.model.ts';
import { contribution, dayOf, recentWith, scoresOf, trendsOf } from './dashboard.rules.ts';

const day = (date: string, sessions: number, overall: number): DayRow => ({
  _id: date,
  org_id: 'o',
  epoch: 1,
  day: new Date(date),
  sessions,
  overall,
  capabilities: { containment: { sum: overall, sessions } },
});

describe('scores', () => {
  test('are means over sessions, not over days', () => {
    const scores = scoresOf([day('2026-03-02', 3, 270), day('2026-03-03', 1, 10)]);
    expect(scores).toEqual({
      overall: 70,
      rating: 'S',
      maturity_level: 3,
      by_capability: [{ capability: 'containment', score: 70, sessions: 4 }],
    });
  });

  test('are null where nothing was played, also on a day whose sessions moved away', () => {
    const none = { overall: null, rating: null, maturity_level: null, by_capability: [] };
    expect(scoresOf([])).toEqual(none);
    expect(scoresOf([day('2026-03-02', 0, 0)])).toEqual(none);
  });

  test('what a session adds, its negative takes away', () => {
    const session = fc.record({
      overall: fc.double({ min: 0, max: 100, noNaN: true }),
      capabilities: fc.array(
        fc.record({ capability: fc.constantFrom(...CAPABILITIES), score: fc.integer({ min: 0, max: 100 }) }),
      ),
    });
    fc.assert(
      fc.property(session, (row) => {
        const [added, taken] = [contribution(row, 1), contribution(row, -1)];
        return Object.keys(added).every((field) => (added[field] ?? 0) + (taken[field] ?? 0) === 0);
      }),
    );
  });
});

describe('trends', () => {
  const window = (from: string, to: string) => ({ from: new Date(from), to: new Date(to) });

  test('weeks begin on Monday; empty ones are there with nulls', () => {
    const trends = trendsOf([day('2026-03-04', 2, 150)], window('2026-02-25', '2026-03-11'));
    expect(trends).toEqual([
      { period: '2026-02-23', sessions: 0, overall: null, maturity_level: null },
      { period: '2026-03-02', sessions: 2, overall: 75, maturity_level: 4 },
      { period: '2026-03-09', sessions: 0, overall: null, maturity_level: null },
    ]);
  });

  test('a window of more than half a year goes by months', () => {
    const periods = trendsOf([], window('2025-03-15', '2026-03-02')).map(({ period }) => period);
    expect(periods).toHaveLength(13);
    expect([periods[0], periods.at(-1)]).toEqual(['2025-03-01', '2026-03-01']);
  });

  test('every day of a window falls into exactly one period', () => {
    const start = fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(start, fc.integer({ min: 1, max: 730 }), (date, days) => {
        const from = dayOf(date);
        const rows = Array.from({ length: days }, (_, index) =>
          day(new Date(from.getTime() + index * DAY_MS).toISOString(), 1, 50),
        );
        const trends = trendsOf(rows, { from, to: new Date(from.getTime() + days * DAY_MS) });
        return trends.reduce((sum, { sessions }) => sum + sessions, 0) === days;
      }),
    );
  });
});

test('the recent sessions are the same whatever order they came in, each once, ten at most', () => {
  const session = (id: number) => ({
    id: String(id),
    scenario: 's',
    scenario_title: 's',
    title: 's',
    overall: 1,
    maturity_level: 1,
    rating: 'P' as const,
    ended_at: new Date(Date.UTC(2026, 0, 1 + (id % 20))).toISOString(),
  });
  const ids = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 40 });
  fc.assert(
    fc.property(ids, (came) => {
      const fold = (order: number[]) =>
        order.reduce<ReturnType<typeof recentWith>>((recent, id) => recentWith(recent, session(id)), []);
      const recent = fold(came);
      expect(recent).toEqual(fold(came.toReversed()));
      expect(recent.length).toBe(Math.min(10, new Set(came).size));
    }),
  );
});
