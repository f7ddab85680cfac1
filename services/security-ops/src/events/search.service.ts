import { TECHNIQUES } from '@muster/attack';
import type { EventSeverity, EventStatus } from '@muster/contracts';
import { type Ctx, trusted } from '@muster/service-kit';
import { BY_ARRIVAL, type EventDoc, events, summaryProjection } from './event.model.ts';
import { wordsOf } from './word.rules.ts';

/** How far single rows are counted. */
export const COUNTED = 10_000;

/**
 * How to find the newest of so many events. Where many fit, they are soon met on the way back in time; where few do,
 * the index of the filter is the shorter way, and the engine takes it by itself.
 */
export const wayTo = (counted: number) => (counted >= COUNTED ? { hint: BY_ARRIVAL } : {});

/** What narrows a list down; each by an index of its own. */
export interface Wanted {
  severity?: EventSeverity | undefined;
  status?: EventStatus | undefined;
  source?: string | undefined;
  technique?: string | undefined;
  group_id?: string | undefined;
  q?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/**
 * The filter of the events that are wanted. A technique stands for its sub-techniques too; where somebody looks for what
 * has no word in it, nothing is found.
 */
export function filterOf({ technique, q, from, to, ...exact }: Wanted) {
  const words = wordsOf(q ?? '');
  const bounds = { ...(from && { $gte: new Date(from) }), ...(to && { $lte: new Date(to) }) };
  return {
    ...Object.fromEntries(Object.entries(exact).filter(([, value]) => value !== undefined)),
    ...(technique && { techniques: trusted({ $in: withSubTechniques(technique) }) }),
    ...(q !== undefined && { words: trusted(words.length > 0 ? { $all: words } : { $in: [] }) }),
    ...((from || to) && { occurred_at: trusted(bounds) }),
  };
}

const withSubTechniques = (technique: string) => [
  technique,
  ...TECHNIQUES.filter(({ id }) => id.startsWith(`${technique}.`)).map(({ id }) => id),
];

/** The newest events that are wanted and came before a given one, as lists show them. */
export async function newestBefore(ctx: Ctx, id: string, wanted: Wanted, limit: number): Promise<EventDoc[]> {
  const filter = filterOf(wanted);
  const counted = await events(ctx).count(filter, { limit: COUNTED });
  return await events(ctx).find(
    { ...filter, _id: trusted({ $lt: id }) },
    { sort: { _id: -1 }, limit, projection: summaryProjection, ...wayTo(counted) },
  );
}
