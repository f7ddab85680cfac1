import { type Ctx, trusted } from '@muster/service-kit';
import { type EventDoc, events, summaryProjection } from './event.model.ts';
import {
  BY_ARRIVAL,
  BY_OCCURRENCE,
  type Condition,
  conditionsOf,
  type EventQuery,
  type Filter,
  filterOf,
  type Order,
  orderOf,
} from './search.model.ts';

/** How far events are counted that no tally counts; fewer may all be looked through. */
const MOST_COUNTED = 10_000;
/** How many events that meet one condition are looked through at once for those that meet the others, and how often. */
const LOOK = { through: 20_000, times: 3 };

/**
 * How events are found. Along `index` lie those that meet one condition: the only one, or the one that the fewest meet.
 * `walk` is its filter where so many do that one answer may not look through all of them.
 */
export interface Search {
  filter: Filter;
  order: Order;
  index: Condition['index'];
  walk: Filter | null;
}

/** Part of a list. */
export interface SearchPage {
  rows: EventDoc[];
  /** What the next part comes after; null at the end. It may go on though nothing was found so far. */
  next: string | null;
}

/** Decides how to find what is wanted; null where no event can be it. */
export async function searchFor(ctx: Ctx, wanted: EventQuery): Promise<Search | null> {
  const order = orderOf(wanted);
  const conditions = conditionsOf(wanted);
  if (!conditions) return null;
  const filter = filterOf(wanted, conditions);
  const [only, ...others] = conditions;
  if (!only) return { filter, order, index: BY_ARRIVAL, walk: null };
  if (others.length === 0) return { filter, order, index: only.index, walk: null };
  const counted = await Promise.all(
    conditions.map(async (condition) => ({ condition, met: await countAlong(ctx, condition) })),
  );
  const rarest = counted.reduce((least, one) => (one.met < least.met ? one : least));
  if (rarest.met < MOST_COUNTED) return { filter, order, index: rarest.condition.index, walk: null };
  // All are common: one whose index lies in the order of the list.
  const driving = conditions.findLast(({ index }) => (index === BY_OCCURRENCE) === (order === 'occurrence'));
  const { index, filter: walk } = driving ?? only;
  return { filter, order, index, walk };
}

/** The next events of a search, at most `limit`. */
export async function findAfter(
  ctx: Ctx,
  search: Search,
  after: string | undefined,
  limit: number,
  look = LOOK,
): Promise<SearchPage> {
  const rows: EventDoc[] = [];
  let from = after;
  for (let looks = 0; looks < look.times; looks += 1) {
    const until = await lastOf(ctx, search, { after: from, most: look.through });
    rows.push(...(await read(ctx, search, { after: from, until }, limit + 1 - rows.length)));
    if (rows.length > limit || until === undefined) return partOf(rows, search.order, limit);
    from = until;
  }
  return { rows, next: from ?? null };
}

function partOf(rows: EventDoc[], order: Order, limit: number): SearchPage {
  const shown = rows.slice(0, limit);
  return { rows: shown, next: rows.length > limit ? (shown.at(-1)?.[order] ?? null) : null };
}

/** How many a search finds, counted up to 10 000; where it has to look through many, among the first 20 000 of them. */
export async function countFound(ctx: Ctx, search: Search, look = LOOK): Promise<number> {
  const { filter, order, index } = search;
  const until = await lastOf(ctx, search, { after: undefined, most: look.through });
  return await countAlong(ctx, { filter: between(filter, order, { until }), index });
}

interface Bounds {
  after?: string | undefined;
  /** The last one that may be there. */
  until?: string | undefined;
}

async function read(ctx: Ctx, search: Search, bounds: Bounds, limit: number): Promise<EventDoc[]> {
  const { filter, order, index: hint } = search;
  const sort = { [order]: -1 } as const;
  return await events(ctx).find(between(filter, order, bounds), {
    sort,
    limit,
    hint,
    projection: summaryProjection,
  });
}

/** The last of so many that a search walks along; undefined where there are fewer, or it need not walk. */
async function lastOf(
  ctx: Ctx,
  { order, index: hint, walk }: Search,
  { after, most }: { after: string | undefined; most: number },
): Promise<string | undefined> {
  if (!walk) return undefined;
  const [last] = await events(ctx).find(between(walk, order, { after }), {
    sort: { [order]: -1 },
    skip: most - 1,
    limit: 1,
    hint,
    projection: { [order]: 1 },
  });
  return last?.[order];
}

/** A filter within bounds of the order; those of a time that is wanted stay. */
function between(filter: Filter, order: Order, { after, until }: Bounds): Filter {
  if (after === undefined && until === undefined) return filter;
  const wanted = filter[order] as { $lte?: string; $gte?: string } | undefined;
  const bounds = { ...wanted, ...(after && { $lt: after }), ...(until && { $gte: until }) };
  return { ...filter, [order]: trusted(bounds) };
}

async function countAlong(ctx: Ctx, { filter, index }: Condition): Promise<number> {
  return await events(ctx).count(filter, { limit: MOST_COUNTED, hint: index });
}
