import type { EventSeverity, Verdict } from '@muster/contracts';

/** A security event as triage reads it. */
export interface SecurityEvent {
  id: string;
  title: string;
  description?: string | null;
  severity: EventSeverity;
  source?: string | null;
  category?: string | null;
  occurred_at?: string | null;
  techniques: readonly string[];
  assets: readonly { name: string; kind?: string | null }[];
  users: readonly string[];
  indicators: readonly (string | { type: string; value: string })[];
  /** The event as its source sent it. */
  raw?: unknown;
  /** How many like it came with it and are triaged as one. */
  occurrences?: number;
}

/** An earlier event that has something in common with this one, found by the service. */
export interface SimilarEvent {
  id: string;
  title: string;
  verdict?: Verdict | null;
  /** What they have in common, in words: "the host FS-02". */
  shared: readonly string[];
}

/** What is known of the organization that bears on an event. */
export interface OrganizationContext {
  industry?: string | null;
  crown_jewels?: readonly { name: string; criticality: number; owner_role?: string | null }[];
  tech_stack?: readonly { name: string; criticality?: number | string | null }[];
}

export interface TriageInput {
  event: SecurityEvent;
  /** The nearest first. */
  similar: readonly SimilarEvent[];
  organization?: OrganizationContext | null;
}

/** A text of the event and where it stands. */
export interface EventField {
  field: string;
  text: string;
}

const MOST_RAW_FIELDS = 200;
const MOST_RAW_CHARACTERS = 20_000;
const DEEPEST = 8;

/** Every text of an event: its own fields, then the strings of what its source sent, as far as they are new. */
export function fieldsOf(event: SecurityEvent): EventField[] {
  const own = Object.entries({
    title: event.title,
    description: event.description,
    category: event.category,
    source: event.source,
  }).flatMap(([field, text]) => (text ? [{ field, text }] : []));
  const seen = new Set(own.map(({ text }) => text));
  let room = MOST_RAW_CHARACTERS;
  const raw = stringsIn(event.raw, 'raw', 0)
    .filter(({ text }) => text.trim() !== '' && !seen.has(text))
    .slice(0, MOST_RAW_FIELDS)
    .filter(({ text }) => {
      room -= text.length;
      return room >= 0;
    });
  return [...own, ...raw];
}

/** The value of an indicator, however it came. */
export const indicatorValue = (indicator: SecurityEvent['indicators'][number]) =>
  typeof indicator === 'string' ? indicator : indicator.value;

function stringsIn(value: unknown, path: string, depth: number): EventField[] {
  if (typeof value === 'string') return [{ field: path.slice(0, 120), text: value }];
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return [];
  return Object.entries(value).flatMap(([key, member]) => stringsIn(member, `${path}.${key}`, depth + 1));
}
