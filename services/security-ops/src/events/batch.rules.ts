import {
  EVENT_LIMITS,
  EVENT_SEVERITIES,
  type EventInput,
  type EventSeverity,
  type EventStatus,
  type eventsReceived,
} from '@muster/contracts';
import type { EventDoc } from './event.model.ts';

type ReceivedData = EventInput<typeof eventsReceived>;
const MOST_SOURCES = 100;

/** What events are counted under. */
export const stateOf = ({ status, severity }: { status: EventStatus; severity: EventSeverity }) =>
  `${status}_${severity}`;

/** What a batch's domain event tells, gathered chunk by chunk in bounded memory. */
export interface BatchSummary {
  count: number;
  by_state: Map<string, number>;
  by_severity: Map<EventDoc['severity'], number>;
  by_source: Map<string, number>;
  techniques: Map<string, number>;
  first_id: string;
  last_id: string;
  gravest: EventDoc[];
}

export const emptySummary = (): BatchSummary => ({
  count: 0,
  by_state: new Map(),
  by_severity: new Map(),
  by_source: new Map(),
  techniques: new Map(),
  first_id: '',
  last_id: '',
  gravest: [],
});

const graver = (a: EventDoc, b: EventDoc) =>
  EVENT_SEVERITIES.indexOf(b.severity) - EVENT_SEVERITIES.indexOf(a.severity);

/** Adds events that were stored. */
export function addTo(summary: BatchSummary, docs: readonly EventDoc[]): void {
  for (const doc of docs) {
    add(summary.by_state, stateOf(doc));
    add(summary.by_severity, doc.severity);
    add(summary.by_source, doc.source);
    for (const technique of doc.techniques) add(summary.techniques, technique);
  }
  summary.count += docs.length;
  summary.first_id ||= docs[0]?._id ?? '';
  summary.last_id = docs.at(-1)?._id ?? summary.last_id;
  summary.gravest = [...summary.gravest, ...docs].toSorted(graver).slice(0, EVENT_LIMITS.digests);
}

/** The data of the domain event; only for a batch that stored something. */
export function receivedData(summary: BatchSummary, batch_id: string, received_at: Date): ReceivedData {
  const { count, first_id, last_id } = summary;
  const most = [...summary.by_source].toSorted(([, a], [, b]) => b - a).slice(0, MOST_SOURCES);
  return {
    batch_id,
    count,
    first_id,
    last_id,
    received_at: received_at.toISOString(),
    by_severity: Object.fromEntries(summary.by_severity),
    by_source: Object.fromEntries(most),
    techniques: Object.fromEntries(summary.techniques),
    gravest: summary.gravest.map((doc) => ({ id: doc._id, ...digestOf(doc) })),
  };
}

/** What other services are told of one event. */
export function digestOf({ title, severity, source, category, techniques, assets, occurred_at }: EventDoc) {
  const asset_kinds = [...new Set(assets.map(({ kind }) => kind))];
  return {
    title,
    severity,
    source,
    category,
    techniques,
    asset_kinds,
    occurred_at: occurred_at.toISOString(),
  };
}

const add = <Key>(counts: Map<Key, number>, key: Key) => counts.set(key, (counts.get(key) ?? 0) + 1);
