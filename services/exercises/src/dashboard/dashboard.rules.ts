import { type Capability, DAY_MS, type Dashboard } from '@muster/contracts';
import { maturityLevelOf, type RatingBands, ratingOf, rounded } from '../scores/bands.rules.ts';
import type { DayRow, SessionRow } from './dashboard.model.ts';

const LONGEST_WEEKLY_WINDOW_DAYS = 182;
const RECENT_SESSIONS = 10;

/** Midnight UTC of a moment. */
export const dayOf = (date: Date) => new Date(Math.floor(date.getTime() / DAY_MS) * DAY_MS);

/** What a scored session adds to its day; its negative takes it away again. */
export function contribution(session: Pick<SessionRow, 'overall' | 'capabilities'>, sign: 1 | -1) {
  const increments: Record<string, number> = { sessions: sign, overall: sign * (session.overall ?? 0) };
  for (const { capability, score } of session.capabilities) {
    increments[`capabilities.${capability}.sum`] = sign * score;
    increments[`capabilities.${capability}.sessions`] = sign;
  }
  return increments;
}

/** The sums of two sets of increments, by their names. */
export function sumOf(one: Record<string, number>, other: Record<string, number>): Record<string, number> {
  const sums = { ...one };
  for (const [name, value] of Object.entries(other)) sums[name] = (sums[name] ?? 0) + value;
  return sums;
}

/** The mean scores of some days; nulls where no session was scored. */
export function scoresOf(days: readonly DayRow[], bands?: RatingBands): Omit<Dashboard['scores'], 'change'> {
  const sessions = sum(days.map((day) => day.sessions));
  const overall = sessions > 0 ? rounded(sum(days.map((day) => day.overall)) / sessions) : null;
  return {
    overall,
    rating: overall === null ? null : ratingOf(overall, bands),
    maturity_level: overall === null ? null : maturityLevelOf(overall),
    by_capability: byCapability(days),
  };
}

function byCapability(days: readonly DayRow[]): Dashboard['scores']['by_capability'] {
  const totals = new Map<Capability, { sum: number; sessions: number }>();
  for (const day of days) {
    for (const [capability, { sum, sessions }] of Object.entries(day.capabilities) as [
      Capability,
      { sum: number; sessions: number },
    ][]) {
      const before = totals.get(capability) ?? { sum: 0, sessions: 0 };
      totals.set(capability, { sum: before.sum + sum, sessions: before.sessions + sessions });
    }
  }
  return [...totals]
    .filter(([, { sessions }]) => sessions > 0)
    .map(([capability, { sum, sessions }]) => ({ capability, score: rounded(sum / sessions), sessions }))
    .sort((a, b) => a.capability.localeCompare(b.capability));
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** The window's periods, oldest first, empty ones with nulls: weeks (from Monday) up to half a year, else months. */
export function trendsOf(days: readonly DayRow[], window: { from: Date; to: Date }): Dashboard['trends'] {
  const weekly = window.to.getTime() - window.from.getTime() <= LONGEST_WEEKLY_WINDOW_DAYS * DAY_MS;
  const startOf = weekly ? weekStart : monthStart;
  const byPeriod = Map.groupBy(days, (day) => startOf(day.day).getTime());
  const trends: Dashboard['trends'] = [];
  for (
    let start = startOf(window.from);
    start < window.to;
    start = weekly ? daysAfter(start, 7) : monthStart(daysAfter(start, 32))
  ) {
    const { overall, maturity_level } = scoresOf(byPeriod.get(start.getTime()) ?? []);
    const sessions = sum((byPeriod.get(start.getTime()) ?? []).map((day) => day.sessions));
    trends.push({ period: start.toISOString().slice(0, 10), sessions, overall, maturity_level });
  }
  return trends;
}

/** A moment some days later. */
export const daysAfter = (date: Date, days: number) => new Date(date.getTime() + days * DAY_MS);
/** Midnight UTC of the Monday before a moment. */
export const weekStart = (date: Date) => daysAfter(dayOf(date), -((date.getUTCDay() + 6) % 7));
/** Midnight UTC of the first of a moment's month. */
export const monthStart = (date: Date) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1));

/** The latest sessions with one more among them, the latest first. */
export function recentWith(
  recent: Dashboard['recent_sessions'],
  session: Dashboard['recent_sessions'][number],
): Dashboard['recent_sessions'] {
  const endOf = ({ ended_at, id }: typeof session) => `${ended_at} ${id}`;
  return [session, ...recent.filter(({ id }) => id !== session.id)]
    .sort((a, b) => endOf(b).localeCompare(endOf(a)))
    .slice(0, RECENT_SESSIONS);
}
