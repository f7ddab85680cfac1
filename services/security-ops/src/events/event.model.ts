import type {
  EventFormat,
  EventIndicator,
  EventSeverity,
  EventStatus,
  EventSummary,
  SecurityEvent,
  Triage,
} from '@muster/contracts';
import {
  collection,
  list,
  Mixed,
  nullable,
  type RowOf,
  repository,
  required,
  text,
} from '@muster/service-kit';
import { BY_ARRIVAL, BY_OCCURRENCE, indexOf, NARROWING } from './search.model.ts';

export const eventCollection = collection({
  name: 'events',
  fields: {
    /** Made of source and external id: one event each. */
    key: required(String),
    title: required(String),
    description: text(),
    severity: required<EventSeverity>(String),
    status: required<EventStatus>(String),
    source: required(String),
    external_id: required(String),
    category: nullable(String),
    occurred_at: required(Date),
    received_at: required(Date),
    techniques: list(String),
    assets: list<{ name: string; kind: string }>(Mixed),
    users: list(String),
    indicators: list<EventIndicator>(Mixed),
    format: required<EventFormat>(String),
    /** JSON of what its source sent. */
    raw: nullable(String),
    group_id: required(String),
    /** What it is found by; see search.model.ts. */
    technique_ids: list(String),
    occurrence: required(String),
    /** See word.rules.ts. */
    words: list(String),
    version: required(Number),
    expires_at: required(Date),
  },
  indexes: [
    [{ org_id: 1, key: 1 }, { unique: true }],
    [BY_ARRIVAL],
    [BY_OCCURRENCE],
    ...NARROWING.map((field) => [indexOf(field)] as const),
    [{ expires_at: 1 }, { expireAfterSeconds: 0 }],
  ],
});
export type EventDoc = RowOf<typeof eventCollection>;

export const events = repository(eventCollection);

/** What lists leave out. */
export const summaryProjection = { description: 0, raw: 0, words: 0, technique_ids: 0 } as const;

export function toSummary(doc: EventDoc, triage: Triage | undefined): EventSummary {
  const short = triage && {
    verdict: triage.verdict,
    priority: triage.priority,
    training_value: triage.training_value,
  };
  return { ...shown(doc), triage: short ?? null };
}

export function toEvent(doc: EventDoc, triage: Triage | null): SecurityEvent {
  return {
    ...shown(doc),
    description: doc.description,
    raw: doc.raw === null ? null : (JSON.parse(doc.raw) as unknown),
    group_id: doc.group_id,
    triage,
  };
}

function shown(doc: EventDoc): Omit<EventSummary, 'triage'> {
  const { _id: id, title, severity, status, source, external_id, category, techniques, assets, users } = doc;
  return {
    id,
    title,
    severity,
    status,
    source,
    external_id,
    category,
    techniques,
    assets,
    users,
    indicators: doc.indicators,
    format: doc.format,
    occurred_at: doc.occurred_at.toISOString(),
    received_at: doc.received_at.toISOString(),
  };
}
