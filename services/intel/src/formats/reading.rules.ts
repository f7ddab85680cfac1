import {
  DAY_MS,
  type FoundBy,
  type IndicatorType,
  type IntelFormat,
  type IntelSeverity,
  type SpanKind,
  type TlpLabel,
} from '@muster/contracts';

/** A part of a text, in UTF-16 units; `end` is the first one behind it. */
export interface Range {
  start: number;
  end: number;
}

/** Something that stands in a text: what it is, and the words that say it. */
export interface Find extends Range {
  kind: SpanKind;
  /** In its canonical form, such as an ATT&CK id or a refanged address. */
  value: string;
  /** Of an indicator. */
  type?: IndicatorType;
  how: FoundBy;
}

/** One piece of intelligence as its format yields it: a text, and what its source says outright. */
export interface Reading {
  format: IntelFormat;
  /** The identity that its source gives it, such as `stix:report--…`; null where only its address or content is one. */
  key: string | null;
  /** The source's own version of it, such as a time of change; null where it has none. */
  revision: string | null;
  url: string | null;
  title: string;
  publisher: string | null;
  /** RFC 3339, or null where the source does not say. */
  published_at: string | null;
  summary: string | null;
  text: string;
  /** The parts of the text that are written for people: finds are looked for there. */
  prose: Range[];
  given: Find[];
  severity: { value: IntelSeverity; reason: string } | null;
  tlp: TlpLabel | null;
  tags: string[];
  /** The hosts that publish it: they are no indicators. */
  hosts: string[];
  references: string[];
  notes: string[];
}

/** A reading with nothing in it but what is given. */
export function emptyReading(given: Pick<Reading, 'format' | 'title'> & Partial<Reading>): Reading {
  return {
    key: null,
    revision: null,
    url: null,
    publisher: null,
    published_at: null,
    summary: null,
    text: '',
    prose: [],
    given: [],
    severity: null,
    tlp: null,
    tags: [],
    hosts: [],
    references: [],
    notes: [],
    ...given,
  };
}

/** Raised for a document that cannot be read; the message says what is wrong with it, in a sentence. */
export class Unreadable extends Error {}

/** The longest text that is kept of one item, in UTF-16 units. */
export const MAX_TEXT = 300_000;

// What has no place in a text that people read: controls, and marks that hide or turn around what stands next to them.
const UNSEEN = /[\p{Cc}\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** A text as it is stored: well-formed, with plain line ends, without controls and hidden marks, at most so long. */
export function tidy(text: string, limit = MAX_TEXT): string {
  return text
    .slice(0, limit * 4)
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(UNSEEN, (mark) => (mark === '\n' || mark === '\t' ? mark : ''))
    .replace(/[^\S\n\t]+/g, ' ')
    .replace(/(?<![ \t])[ \t]+\n/g, '\n')
    .replace(/\n[ \t]+/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .slice(0, limit)
    .toWellFormed();
}

/** One line of a tidy text. */
export const oneLine = (text: string, limit: number) => {
  const line = tidy(text, limit * 2).replace(/\s+/g, ' ');
  return line.length > limit ? `${line.slice(0, limit - 1).trimEnd()}…` : line;
};

const EARLIEST = Date.UTC(1995, 0, 1);

/** A time as sources write it, in RFC 3339; null for what is none, or lies where nothing was published. */
export function timeOf(text: unknown, now = Date.now()): string | null {
  if (typeof text !== 'string' || text.length > 100) return null;
  const at = Date.parse(text.trim());
  return Number.isNaN(at) || at < EARLIEST || at > now + DAY_MS ? null : new Date(at).toISOString();
}
