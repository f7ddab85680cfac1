import {
  EVENT_LIMITS,
  type EventFormat,
  hostileParts,
  type ProblemDetail,
  type SecurityEventContent,
  securityEventInput,
} from '@muster/contracts';
import { fieldProblems } from '@muster/service-kit';
import { fromCef, isCef, parseCef } from './cef.reader.ts';
import { bounded, type Draft } from './draft.rules.ts';
import { fromEcs, isEcs } from './ecs.reader.ts';
import { envelopeIn, fromLine } from './envelope.reader.ts';
import { type Fields, isFields } from './fields.rules.ts';
import { fromOcsf, isOcsf } from './ocsf.reader.ts';
import { fromTheHive, isTheHive } from './thehive.reader.ts';

/** What is told of one event, of ten thousand that may be wrong. */
const MOST_PROBLEMS = 10;
const LONGEST_PROBLEM = 300;
/** Twice what an event holds that is as large as each of its fields may be. */
export const LONGEST_EVENT = 1024 * 1024;

/** An event as it was understood. */
export interface ReadEvent {
  format: EventFormat;
  content: SecurityEventContent;
  /** The item as it came: what tells an event without an id from another. */
  item: unknown;
  /** JSON of what its source sent; null where it sent nothing beside the event. */
  raw: string | null;
}
export type Reading = { event: ReadEvent } | { problems: ProblemDetail[] };

/** How an item is to be read: in its format, or as it looks. */
export type FormatChoice = EventFormat | 'auto';

const FORMATS = {
  ocsf: { looks: isOcsf, read: fromOcsf },
  ecs: { looks: isEcs, read: fromEcs },
  thehive: { looks: isTheHive, read: fromTheHive },
} as const;
/** What is JSON. */
type JsonFormat = keyof typeof FORMATS | 'native';

/** Reads one event from its text, a line of CEF or JSON. Answers what is wrong with one that cannot be stored. */
export function readEvent(text: string, asked: FormatChoice = 'auto'): Reading {
  if (text.length > LONGEST_EVENT)
    return problem('', 'too_large', `An event may have ${LONGEST_EVENT} characters at most.`);
  if (!/^[{"]/.test(text) && (asked === 'cef' || (asked === 'auto' && isCef(text)))) return readCef(text);
  let item: unknown;
  try {
    item = JSON.parse(text);
  } catch {
    return problem('', 'malformed_json', 'This is neither valid JSON nor a line of CEF.');
  }
  if (typeof item === 'string' && (asked === 'cef' || isCef(item))) return readCef(item);
  if (!isFields(item) || asked === 'cef')
    return problem('', 'invalid_type', 'An event is a JSON object or a line of CEF.');
  const problems = hostileParts(item, { findings: 1, dots: true });
  if (problems.length > 0) return { problems };
  return readItem(item, text, asked);
}

function readItem(item: Fields, text: string, asked: JsonFormat | 'auto'): Reading {
  const envelope = asked === 'native' ? null : envelopeIn(item);
  if (envelope) return readEnveloped(envelope, item, text, asked);
  const format = asked === 'auto' ? formatOf(item) : asked;
  if (format === 'native') return checked(item, { format, item, raw: rawOf(item) });
  return checked(bounded(FORMATS[format].read(item)), { format, item, raw: text });
}

/** The envelope fills in what the event does not say itself. */
function readEnveloped(
  { event, host, source, time }: NonNullable<ReturnType<typeof envelopeIn>>,
  item: Fields,
  text: string,
  asked: JsonFormat | 'auto',
): Reading {
  const about = { item, raw: text };
  const filled = (draft: Draft): Draft => ({
    ...draft,
    source: draft.source ?? source,
    occurred_at: draft.occurred_at ?? time,
    assets: draft.assets.length === 0 && host ? [{ name: host, kind: 'host' }] : draft.assets,
  });
  if (typeof event === 'string') {
    const cef = parseCef(event);
    if (cef) return checked(bounded(filled(fromCef(cef))), { format: 'cef', ...about });
    return checked(bounded(filled(fromLine(event))), { format: 'native', ...about });
  }
  const format = asked === 'auto' ? formatOf(event) : asked;
  if (format !== 'native') return checked(bounded(filled(FORMATS[format].read(event))), { format, ...about });
  const given = { ...(source && { source }), ...(time && { occurred_at: time }), ...event };
  const assets = event.assets ?? (host ? [{ name: host, kind: 'host' }] : []);
  return checked({ ...given, assets }, { format, ...about });
}

function formatOf(item: Fields): JsonFormat {
  const formats = Object.keys(FORMATS) as (keyof typeof FORMATS)[];
  return formats.find((name) => FORMATS[name].looks(item)) ?? 'native';
}

function readCef(line: string): Reading {
  const cef = parseCef(line);
  if (!cef) return problem('', 'malformed_cef', 'The CEF header needs seven fields, divided by |.');
  return checked(bounded(fromCef(cef)), { format: 'cef', item: line, raw: JSON.stringify(line) });
}

function rawOf({ raw }: Fields): string | null {
  return raw === undefined || raw === null ? null : JSON.stringify(raw);
}

function checked(given: object, about: Omit<ReadEvent, 'content'>): Reading {
  if (about.raw !== null && Buffer.byteLength(about.raw) > EVENT_LIMITS.rawBytes)
    return problem(
      '/raw',
      'too_large',
      `What the source sent may have ${EVENT_LIMITS.rawBytes} bytes at most.`,
    );
  const parsed = securityEventInput.safeParse(given);
  if (!parsed.success)
    return { problems: fieldProblems(parsed.error).slice(0, MOST_PROBLEMS).map(shortened) };
  return { event: { ...about, content: parsed.data } };
}

const shortened = ({ path, code, message }: ProblemDetail): ProblemDetail => ({
  path: path.slice(0, LONGEST_PROBLEM),
  code,
  message: message.slice(0, LONGEST_PROBLEM),
});
const problem = (path: string, code: string, message: string): Reading => ({
  problems: [{ path, code, message }],
});
