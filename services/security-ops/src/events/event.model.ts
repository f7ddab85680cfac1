import type {
  EventFormat,
  EventIndicator,
  EventSeverity,
  EventStatus,
  EventSummary,
  SecurityEvent,
  Triage,
} from '@muster/contracts';
import { collection, Mixed, repository, type Stored } from '@muster/service-kit';
import { BY_ARRIVAL, BY_OCCURRENCE, indexOf, NARROWING } from './search.rules.ts';

export interface EventDoc extends Stored {
  /** Made of source and external id: one event each. */
  key: string;
  title: string;
  description: string;
  severity: EventSeverity;
  status: EventStatus;
  source: string;
  external_id: string;
  category: string | null;
  occurred_at: Date;
  received_at: Date;
  techniques: string[];
  assets: { name: string; kind: string }[];
  users: string[];
  indicators: EventIndicator[];
  format: EventFormat;
  /** JSON of what its source sent. */
  raw: string | null;
  group_id: string;
  /** What it is found by; see search.rules.ts. */
  technique_ids: string[];
  occurrence: string;
  /** See word.rules.ts. */
  words: string[];
  version: number;
  expires_at: Date;
}

const required = <T>(type: T) => ({ type, required: true });

export const eventCollection = collection<EventDoc>({
  name: 'events',
  fields: {
    key: required(String),
    title: required(String),
    description: String,
    severity: required(String),
    status: required(String),
    source: required(String),
    external_id: required(String),
    category: { type: String, default: null },
    occurred_at: required(Date),
    received_at: required(Date),
    techniques: [String],
    assets: [Mixed],
    users: [String],
    indicators: [Mixed],
    format: required(String),
    raw: { type: String, default: null },
    group_id: required(String),
    technique_ids: [String],
    occurrence: required(String),
    words: [String],
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
    ...{ id, title, severity, status, source, external_id, category, techniques, assets, users },
    indicators: doc.indicators,
    format: doc.format,
    occurred_at: doc.occurred_at.toISOString(),
    received_at: doc.received_at.toISOString(),
  };
}
