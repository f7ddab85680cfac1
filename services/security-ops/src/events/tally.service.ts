import type { EventSeverity, EventStatus } from '@muster/contracts';
import { type Ctx, trusted } from '@muster/service-kit';
import { v7 } from 'uuid';
import { tallies } from './tally.model.ts';

const PAGE = 1_000;
/** Fewer rows are as soon read as summed up. */
const WORTH = 50;

/**
 * Counts events that expire together, in the transaction that stores or changes them.
 * @param changes how many more or fewer, by `<status>_<severity>`
 */
export async function count(ctx: Ctx, expires_at: Date, changes: ReadonlyMap<string, number>): Promise<void> {
  if (changes.size === 0) return;
  await tallies(ctx).insert({ _id: v7(), counts: Object.fromEntries(changes), single: true, expires_at });
}

/** How many events the organization has of a status and a severity, each where it is given. */
export async function tallied(
  ctx: Ctx,
  wanted: { status?: EventStatus | undefined; severity?: EventSeverity | undefined },
): Promise<number> {
  const rows = await tallies(ctx).find({});
  const fits = (state: string) =>
    (!wanted.status || state.startsWith(`${wanted.status}_`)) &&
    (!wanted.severity || state.endsWith(`_${wanted.severity}`));
  const sum = rows
    .flatMap(({ counts }) => Object.entries(counts))
    .reduce((total, [state, by]) => (fits(state) ? total + by : total), 0);
  return Math.max(0, sum);
}

/** Sums rows up, once there are enough of them, in the transaction under way. */
export async function sumUp(ctx: Ctx): Promise<void> {
  const singles = await tallies(ctx).find({ single: true }, { limit: PAGE });
  if (singles.length < WORTH) return;
  for (const [expiry, rows] of Map.groupBy(singles, ({ expires_at }) => expires_at.getTime())) {
    const expires_at = new Date(expiry);
    const _id = `${ctx.org}.${expires_at.toISOString().slice(0, 10)}`;
    const sums: Record<string, number> = {};
    for (const [state, by] of rows.flatMap(({ counts }) => Object.entries(counts)))
      sums[`counts.${state}`] = (sums[`counts.${state}`] ?? 0) + by;
    await tallies(ctx).updateOne({ _id }, { $inc: sums, $setOnInsert: { expires_at } }, { upsert: true });
  }
  await tallies(ctx).deleteMany({ _id: trusted({ $in: singles.map(({ _id }) => _id) }) });
}
