import { isRecord, parseJson } from './json.rules.ts';
import { Unreadable } from './reading.rules.ts';

/** What a document is, and its value where it is JSON. */
export interface Kind {
  kind: 'html' | 'feed' | 'stix' | 'misp-event' | 'misp-feed' | 'kev' | 'taxii' | 'text';
  value: unknown;
}

const HTML = /<(?:!doctype\s+html|html|head|body|article|main|div|p|h1|section|table|meta)\b/i;
const FEED = /<(?:[a-z]+:)?(?:rss|feed|rdf)\b/i;
const START = 4096;
const UNREADABLE_TYPES =
  /^(?:image|audio|video|font|model)\/|^application\/(?:pdf|zip|gzip|x-|octet-stream|vnd\.|msword|java|wasm)/;
const PLAIN_TYPES = /^text\/(?!html|xml)|^application\/(?:rtf|markdown)/;

/** Recognises a document. @throws Unreadable for what is none of the formats */
export function kindOf(text: string, mediaType: string | null): Kind {
  const type = mediaType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const start = text
    .slice(0, START)
    .replace(/^\ufeff/, '')
    .trimStart();
  if (start === '') throw new Unreadable('It is empty.');
  if (UNREADABLE_TYPES.test(type) && !/xml|json/.test(type))
    throw new Unreadable(`It is ${type}: HTML, RSS, Atom, STIX, MISP, KEV and plain text can be read.`);
  if (isBinary(start)) throw new Unreadable('It is no text.');
  const isJson = /json/.test(type) || /^[{[]/.test(start);
  if (isJson && !PLAIN_TYPES.test(type)) return json(text, /json/.test(type));
  if (!start.startsWith('<'))
    return { kind: type === 'text/html' && HTML.test(start) ? 'html' : 'text', value: null };
  if (FEED.test(start) && !/<(?:!doctype\s+html|html)\b/i.test(start)) return { kind: 'feed', value: null };
  if (HTML.test(start) || type === 'text/html' || type === 'application/xhtml+xml')
    return { kind: 'html', value: null };
  if (PLAIN_TYPES.test(type)) return { kind: 'text', value: null };
  throw new Unreadable('It is XML, but neither RSS nor Atom.');
}

function json(text: string, said: boolean): Kind {
  const parsed = parseJson(text);
  if ('problem' in parsed) {
    if (said) throw new Unreadable(parsed.problem);
    return { kind: 'text', value: null };
  }
  const { value } = parsed;
  const kind = jsonKind(value);
  if (kind) return { kind, value };
  throw new Unreadable('It is JSON, but no STIX bundle, MISP event, MISP feed manifest or KEV catalogue.');
}

function jsonKind(value: unknown): Kind['kind'] | null {
  if (Array.isArray(value)) {
    const [first] = value;
    if (isRecord(first) && isRecord(first.Event)) return 'misp-event';
    return isRecord(first) && typeof first.id === 'string' && first.id.includes('--') ? 'stix' : null;
  }
  if (!isRecord(value)) return null;
  if (isRecord(value.Event) || Array.isArray(value.response)) return 'misp-event';
  if (Array.isArray(value.vulnerabilities) && 'catalogVersion' in value) return 'kev';
  if (Array.isArray(value.api_roots) || Array.isArray(value.collections) || 'can_read' in value)
    return 'taxii';
  if (value.type === 'bundle' || Array.isArray(value.objects)) return 'stix';
  if (typeof value.id === 'string' && /^[a-z0-9-]+--[0-9a-f-]{36}$/.test(value.id)) return 'stix';
  if (Object.keys(value).length === 0 || !Object.entries(value).every(isManifestEntry)) return null;
  return 'misp-feed';
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const isManifestEntry = ([key, entry]: [string, unknown]) =>
  UUID.test(key) && isRecord(entry) && 'timestamp' in entry;

/** Text holds next to no controls. */
function isBinary(start: string): boolean {
  const controls = [...start].filter((mark) => mark < ' ' && !'\n\r\t\f\v\u001b'.includes(mark)).length;
  return start.startsWith('%PDF-') || start.startsWith('PK\u0003\u0004') || controls > start.length / 50;
}
