import { EVENT_LIMITS, type EventSeverity, type EventStatus } from '@muster/contracts';

/** What a format says of an event, before it is checked and cut to what an event may hold. */
export interface Draft {
  title: string | undefined;
  description?: string | undefined;
  severity: EventSeverity;
  status?: EventStatus | undefined;
  source: string | undefined;
  external_id?: string | undefined;
  category?: string | undefined;
  occurred_at?: string | undefined;
  techniques: string[];
  assets: { name: string; kind: string }[];
  users: string[];
  indicators: string[];
}

/** A draft within the limits of an event: what is longer is cut, what is more is left out. */
export function bounded(draft: Draft) {
  const { title, description, source, external_id, category, ...rest } = draft;
  return {
    ...withoutUndefined(rest),
    ...(title !== undefined && { title: cut(oneLine(title), 500) }),
    ...(description !== undefined && { description: cut(description, 10_000) }),
    ...(source !== undefined && { source: cut(oneLine(source), 200) }),
    ...(external_id !== undefined && { external_id: cut(external_id, 500) }),
    ...(category !== undefined && { category: cut(oneLine(category), 120) }),
    techniques: unique(draft.techniques).slice(0, EVENT_LIMITS.techniques),
    assets: uniqueBy(draft.assets, ({ name }) => name)
      .slice(0, EVENT_LIMITS.assets)
      .map(({ name, kind }) => ({ name: cut(name, 300), kind: cut(kind, 60) })),
    users: unique(draft.users)
      .slice(0, EVENT_LIMITS.users)
      .map((user) => cut(user, 300)),
    indicators: unique(draft.indicators)
      .filter((value) => value.length <= 2000)
      .slice(0, EVENT_LIMITS.indicators),
  };
}

export const unique = (values: readonly string[]) => [...new Set(values)];

function uniqueBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}

/** Cut by whole characters, so that no half of a pair is left. */
const cut = (text: string, most: number) =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

function withoutUndefined(fields: object) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
