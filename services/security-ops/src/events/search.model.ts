import type { EventSeverity, EventStatus } from '@muster/contracts';
import { trusted } from '@muster/service-kit';
import { HIGHEST, timeOf } from './occurrence.rules.ts';
import { wordsOf } from './word.rules.ts';

/** What narrows a list down. */
export interface EventQuery {
  severity?: EventSeverity | undefined;
  status?: EventStatus | undefined;
  source?: string | undefined;
  technique?: string | undefined;
  group_id?: string | undefined;
  q?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export type Filter = Record<string, unknown>;
type Keys = Record<string, 1 | -1>;

/** One thing that is wanted of an event, and the index that finds the events that have it. */
export interface Condition {
  filter: Filter;
  index: Keys;
}

/** What a list is sorted by, the highest first; each a text of its own for every event. */
export type Order = '_id' | 'occurrence';

/** The index that holds an organization's events in the order in which they came. */
export const BY_ARRIVAL: Keys = { org_id: 1, _id: -1 };
/** The one that holds them in the order in which they happened. */
export const BY_OCCURRENCE: Keys = { org_id: 1, occurrence: -1 };
/** What lists are narrowed down by, each with an index that holds what has one value in the order of its arrival. */
export const NARROWING = ['severity', 'status', 'source', 'technique_ids', 'words', 'group_id'] as const;

export const indexOf = (field: (typeof NARROWING)[number]): Keys => ({ org_id: 1, [field]: 1, _id: -1 });

/** Words of a search beyond these narrow it down without an index of their own. */
const MOST_WORDS = 8;
/** Who asks for a time wants to see what happened then; else what came last is the news. */
export const orderOf = ({ from, to }: EventQuery): Order => (from || to ? 'occurrence' : '_id');

/** What is wanted, one by one: no condition where everything is, null where no event can be. */
export function conditionsOf({ technique, q, from, to, ...exact }: EventQuery): Condition[] | null {
  const words = [...new Set(wordsOf(q ?? ''))];
  if (q !== undefined && words.length === 0) return null;
  const given = NARROWING.flatMap((field) => {
    const value = (exact as Record<string, string | undefined>)[field];
    return value === undefined ? [] : [{ filter: { [field]: value }, index: indexOf(field) }];
  });
  return [
    ...given,
    ...(technique ? [{ filter: { technique_ids: technique }, index: indexOf('technique_ids') }] : []),
    ...words.slice(0, MOST_WORDS).map((word) => ({ filter: { words: word }, index: indexOf('words') })),
    ...(from || to ? [{ filter: { occurrence: trusted(bounds(from, to)) }, index: BY_OCCURRENCE }] : []),
  ];
}

function bounds(from: string | undefined, to: string | undefined): Filter {
  return {
    ...(from && { $gte: timeOf(new Date(from)) }),
    ...(to && { $lte: `${timeOf(new Date(to))}${HIGHEST}` }),
  };
}

/** All that is wanted, as one filter. */
export function filterOf(query: EventQuery, conditions: readonly Condition[]): Filter {
  const words = wordsOf(query.q ?? '');
  const filter: Filter = Object.assign({}, ...conditions.map((condition) => condition.filter));
  return words.length > 1 ? { ...filter, words: trusted({ $all: words }) } : filter;
}
