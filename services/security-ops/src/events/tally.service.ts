import { EVENT_STATUSES, type EventSeverity, type EventStatus, eventsCounted } from '@muster/contracts';
import { type Ctx, trusted } from '@muster/service-kit';
import { v7 } from 'uuid';
import { counts, tallies } from './tally.model.ts';

const PAGE = 1_000;
/** Fewer rows are as soon read as summed up. */
const WORTH = 50;
const OPEN: readonly EventStatus[] = EVENT_STATUSES.filter(
  (status) => status !== 'resolved' && status !== 'closed',
);

/**
 * Counts events that expire together, in the transaction that stores or changes them.
 * @param changes how many more or fewer, by `<status>_<severity>`
 */
export async function count(ctx: Ctx, expires_at: Date, changes: ReadonlyMap<string, number>): Promise<void> {
  if (changes.size === 0) return;
  await tallies(ctx).insert({ _id: v7(), counts: Object.fromEntries(changes), single: true, expires_at });
}

/** How many events the organization has of some statuses and a severity, each where it is given. */
export async function tallied(
  ctx: Ctx,
  wanted: { statuses?: readonly EventStatus[] | undefined; severity?: EventSeverity | undefined },
): Promise<number> {
  const { statuses = EVENT_STATUSES, severity } = wanted;
  const rows = await tallies(ctx).find({});
  const fits = (state: string) =>
    statuses.some((status) => state.startsWith(`${status}_`)) &&
    (!severity || state.endsWith(`_${severity}`));
  const sum = rows
    .flatMap(({ counts }) => Object.entries(counts))
    .reduce((total, [state, by]) => (fits(state) ? total + by : total), 0);
  return Math.max(0, sum);
}

/**
 * Sums rows up, once there are enough of them, in the transaction under way.
 * @returns whether there may be more
 */
export async function sumUp(ctx: Ctx): Promise<boolean> {
  const singles = await tallies(ctx).find({ single: true }, { limit: PAGE });
  if (singles.length < WORTH) return false;
  for (const [expiry, rows] of Map.groupBy(singles, ({ expires_at }) => expires_at.getTime())) {
    const expires_at = new Date(expiry);
    const _id = `${ctx.org}.${expires_at.toISOString().slice(0, 10)}`;
    const sums: Record<string, number> = {};
    for (const [state, by] of rows.flatMap(({ counts }) => Object.entries(counts)))
      sums[`counts.${state}`] = (sums[`counts.${state}`] ?? 0) + by;
    await tallies(ctx).updateOne({ _id }, { $inc: sums, $setOnInsert: { expires_at } }, { upsert: true });
  }
  await tallies(ctx).deleteMany({ _id: trusted({ $in: singles.map(({ _id }) => _id) }) });
  return singles.length === PAGE;
}

/**
 * Tells others how many open events there are, in the transaction under way, where it is not what they were told.
 * @returns whether it is the first time
 */
export async function tellOpen(ctx: Ctx): Promise<boolean> {
  const open = await tallied(ctx, { statuses: OPEN });
  const known = await counts(ctx).findOne({ _id: ctx.org });
  if (known?.open === open) return false;
  const seq = (known?.seq ?? 0) + 1;
  await counts(ctx).updateOne({ _id: ctx.org }, { $set: { seq, open } }, { upsert: true });
  const data = { open, counted_at: new Date().toISOString() };
  await ctx.emit(eventsCounted, { subject: ctx.org, seq, data });
  return !known;
}
