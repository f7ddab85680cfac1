import { DAY_MS, type Trends, type trendsApi } from '@muster/contracts';
import { type Ctx, invalid, trusted } from '@muster/service-kit';
import type { z } from 'zod';
import { dashboardDays } from '../dashboard/dashboard.model.ts';
import { epochs } from '../dashboard/dashboard.service.ts';
import { periodStart, periodsBack, periodsBetween, pointsOf, slopeOf } from './trends.rules.ts';

type Query = z.output<(typeof trendsApi)['endpoints']['getTrends']['query']>;

const DEFAULT_PERIODS = 12;
const MOST_YEARS = 20;
const YEAR_MS = 365 * DAY_MS;

/** Scores over time, from the projection's days: the cost follows the window, not the number of sessions. Raises 422. */
export async function readTrends(ctx: Ctx, { interval, from, to, capability }: Query): Promise<Trends> {
  const end = to ? new Date(to) : new Date();
  const start = from ? new Date(from) : periodsBack(interval, end, DEFAULT_PERIODS - 1);
  requireWindow(start, end);
  const first = periodStart(interval, start);
  const { reading: epoch } = await epochs(ctx);
  const days = await dashboardDays(ctx).find(
    { epoch, day: trusted({ $gte: first, $lte: end }) },
    { sort: { day: 1 } },
  );
  const points = pointsOf(interval, periodsBetween(interval, first, end), days, capability);
  const played = days.filter(({ sessions }) => sessions > 0);
  return {
    interval,
    points,
    slope_per_period: slopeOf(points),
    first_at: played.at(0)?.day.toISOString() ?? null,
    last_at: played.at(-1)?.day.toISOString() ?? null,
  };
}

function requireWindow(start: Date, end: Date): void {
  const wrong = (message: string) => invalid([{ path: '/from', code: 'window', message, in: 'query' }]);
  if (start > end) throw wrong('from must not be after to');
  if (end.getTime() - start.getTime() > MOST_YEARS * YEAR_MS) {
    throw wrong(`the window may be ${MOST_YEARS} years long at most`);
  }
}
