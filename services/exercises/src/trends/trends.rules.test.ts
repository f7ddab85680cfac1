import { expect, test } from '@jest/globals';
import { INTERVALS } from '@muster/contracts';
import fc from 'fast-check';
import type { DayRow } from '../dashboard/dashboard.model.ts';
import { periodStart, periodsBack, periodsBetween, pointsOf, slopeOf } from './trends.rules.ts';

const day = (date: string, sessions: number, overall: number): DayRow => ({
  _id: date,
  org_id: 'o',
  epoch: 1,
  day: new Date(date),
  sessions,
  overall,
  capabilities: { recovery: { sum: overall / 2, sessions } },
});
const iso = (dates: Date[]) => dates.map((date) => date.toISOString().slice(0, 10));
const point = (overall: number | null) => ({
  period_start: '2026-01-01',
  sessions: 1,
  overall,
  maturity_level: null,
  by_capability: [],
});

test('quarters begin in January, April, July and October', () => {
  const starts = periodsBetween('quarter', new Date('2025-11-30'), new Date('2026-07-01'));
  expect(iso(starts)).toEqual(['2025-10-01', '2026-01-01', '2026-04-01', '2026-07-01']);
});

test('every moment of a window lies in exactly one of its periods, which are as many as were asked for', () => {
  const moment = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(
      fc.constantFrom(...INTERVALS),
      moment,
      fc.integer({ min: 0, max: 40 }),
      (interval, end, back) => {
        const from = periodsBack(interval, end, back);
        const starts = periodsBetween(interval, from, end);
        expect(starts).toHaveLength(back + 1);
        expect(
          starts.filter((start) => start.getTime() === periodStart(interval, end).getTime()),
        ).toHaveLength(1);
      },
    ),
  );
});

test('empty periods are there with nulls, and a capability can be looked at alone', () => {
  const starts = periodsBetween('month', new Date('2026-01-01'), new Date('2026-03-31'));
  const days = [day('2026-01-05', 1, 60), day('2026-01-20', 1, 80), day('2026-03-01', 1, 90)];
  expect(pointsOf('month', starts, days).map(({ overall }) => overall)).toEqual([70, null, 90]);
  expect(pointsOf('month', starts, days, 'recovery').map(({ overall }) => overall)).toEqual([35, null, 45]);
  expect(pointsOf('month', starts, days, 'detection').map(({ sessions }) => sessions)).toEqual([0, 0, 0]);
});

test('the slope is that of the line through what is known, gaps keep their place', () => {
  expect(slopeOf([point(50), point(null), point(60)])).toBe(5);
  expect(slopeOf([point(70), point(70)])).toBe(0);
  expect(slopeOf([point(null), point(70)])).toBeNull();
});
