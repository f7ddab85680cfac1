import type { Capability, Interval, Trends } from '@muster/contracts';
import type { DayRow } from '../dashboard/dashboard.model.ts';
import { daysAfter, monthStart, scoresOf, weekStart } from '../dashboard/dashboard.rules.ts';
import { maturityLevelOf, rounded } from '../scores/bands.rules.ts';

const quarterStart = (date: Date) =>
  new Date(Date.UTC(date.getUTCFullYear(), 3 * Math.floor(date.getUTCMonth() / 3), 1));

/** Where a period begins, and how many days surely reach into the next one. */
const PERIODS = {
  week: { startOf: weekStart, stride: 7 },
  month: { startOf: monthStart, stride: 32 },
  quarter: { startOf: quarterStart, stride: 93 },
} as const;

/** The beginning (UTC) of the period that a moment lies in; weeks begin on Monday. */
export const periodStart = (interval: Interval, date: Date) => PERIODS[interval].startOf(date);

/** The beginnings of every period from one moment to another, the last included. */
export function periodsBetween(interval: Interval, from: Date, to: Date): Date[] {
  const { startOf, stride } = PERIODS[interval];
  const starts: Date[] = [];
  for (let start = startOf(from); start <= to; start = startOf(daysAfter(start, stride))) starts.push(start);
  return starts;
}

/** The beginning of the period `count` periods before the one that a moment lies in. */
export function periodsBack(interval: Interval, date: Date, count: number): Date {
  const { startOf } = PERIODS[interval];
  let start = startOf(date);
  for (let left = count; left > 0; left -= 1) start = startOf(daysAfter(start, -1));
  return start;
}

/** The points of every period, oldest first; with a capability, its scores take the place of the overall ones. */
export function pointsOf(
  interval: Interval,
  starts: readonly Date[],
  days: readonly DayRow[],
  capability?: Capability,
): Trends['points'] {
  const byPeriod = Map.groupBy(days, ({ day }) => periodStart(interval, day).getTime());
  return starts.map((start) => {
    const rows = byPeriod.get(start.getTime()) ?? [];
    const { overall, maturity_level, by_capability } = scoresOf(rows);
    const sessions = rows.reduce((sum, row) => sum + row.sessions, 0);
    const period_start = start.toISOString().slice(0, 10);
    if (capability === undefined) return { period_start, sessions, overall, maturity_level, by_capability };
    const own = by_capability.filter((one) => one.capability === capability);
    const score = own[0]?.score ?? null;
    return {
      period_start,
      sessions: own[0]?.sessions ?? 0,
      overall: score,
      maturity_level: score === null ? null : maturityLevelOf(score),
      by_capability: own,
    };
  });
}

/** The slope of the least-squares line through the scored periods, in points of score per period. */
export function slopeOf(points: Trends['points']): number | null {
  const known = points.flatMap(({ overall }, x) => (overall === null ? [] : [{ x, y: overall }]));
  if (known.length < 2) return null;
  const mean = (pick: (point: { x: number; y: number }) => number) =>
    known.reduce((sum, point) => sum + pick(point), 0) / known.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  const covariance = mean((point) => (point.x - x) * (point.y - y));
  return rounded(covariance / mean((point) => (point.x - x) ** 2));
}
