import type { EventSeverity } from '@muster/contracts';
import type { Draft } from './draft.rules.ts';
import { severityOfWord, timeOf } from './fields.rules.ts';
import { indicatorsIn, isTelling } from './indicator.rules.ts';
import { techniquesIn } from './technique.rules.ts';

// ArcSight Common Event Format, revision 25: a header of seven fields behind `CEF:`, then keys and values.

const START = /CEF:\s?\d+(?:\.\d+)?\|/;
const HEADER_FIELDS = 7;
/** A key begins a value where a word stands before an `=` that is not escaped. */
const KEY = /(?:^|\s)([A-Za-z0-9_.\-[\]]{1,100})=/g;
const MONTH_TIME =
  /^([A-Z][a-z]{2})\s+(\d{1,2})\s+(?:(\d{4})\s+)?(\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?(?:\s+(?:UTC|GMT|Z))?$/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export interface Cef {
  vendor: string;
  product: string;
  version: string;
  signature: string;
  name: string;
  severity: string;
  extension: Record<string, string>;
}

export const isCef = (line: string) => START.test(line);

/** Takes a line apart, also one behind a syslog prefix. Null where its header is not whole. */
export function parseCef(line: string): Cef | null {
  const start = START.exec(line);
  if (!start) return null;
  const { fields, rest } = headerOf(line.slice(start.index));
  if (fields.length < HEADER_FIELDS) return null;
  const [, vendor = '', product = '', version = '', signature = '', name = '', severity = ''] = fields;
  return { vendor, product, version, signature, name, severity, extension: extensionOf(rest) };
}

/** The fields up to each bar that is not escaped. The severity may end the line. */
function headerOf(text: string): { fields: string[]; rest: string } {
  const fields: string[] = [];
  let field = '';
  let index = 0;
  for (; index < text.length && fields.length < HEADER_FIELDS; index += 1) {
    const character = text[index] ?? '';
    if (character === '\\' && index + 1 < text.length) {
      const next = text[index + 1] ?? '';
      field += next === '|' || next === '\\' ? next : character + next;
      index += 1;
    } else if (character === '|') {
      fields.push(field.trim());
      field = '';
    } else field += character;
  }
  if (fields.length === HEADER_FIELDS - 1 && index === text.length) fields.push(field.trim());
  return { fields, rest: text.slice(index) };
}

function extensionOf(text: string): Record<string, string> {
  const keys = [...text.matchAll(KEY)];
  const pairs = keys.map((match, index) => {
    const from = match.index + match[0].length;
    return [
      match[1] ?? '',
      unescaped(text.slice(from, keys[index + 1]?.index ?? text.length)).trim(),
    ] as const;
  });
  return Object.assign(Object.create(null) as Record<string, string>, Object.fromEntries(pairs));
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', '=': '=', '|': '|', '\\': '\\' };
const unescaped = (value: string) =>
  value.replace(/\\([nr=|\\])/g, (_, escaped: string) => ESCAPES[escaped] ?? escaped);

export function fromCef({ vendor, product, signature, name, severity, extension: found }: Cef): Draft {
  const all = (...keys: string[]) => keys.flatMap((key) => found[key] || []);
  const text = Object.values(found).join('\n');
  const title = name || found.msg || signature;
  const [external] = all('externalId', 'eventId', 'deviceExternalId');
  return {
    title: title || undefined,
    description: found.msg || found.reason,
    severity: severityOf(severity),
    source: [vendor, product].filter(Boolean).join(' ') || undefined,
    external_id: found.externalId || (found.eventId ?? external),
    category: found.cat || signature || undefined,
    occurred_at: cefTime(found.rt || found.end || found.start || found.deviceReceiptTime),
    techniques: techniquesIn(`${name}\n${text}`),
    assets: all('dvchost', 'dhost', 'shost').map((host) => ({ name: host, kind: 'host' })),
    users: all('duser', 'suser'),
    indicators: [
      ...all('src', 'dst', 'request', 'fileHash', 'destinationDnsDomain'),
      ...indicatorsIn(text),
    ].filter(isTelling),
  };
}

/** 0 to 10, or a word. */
function severityOf(severity: string): EventSeverity {
  const number = Number(severity);
  if (severity.trim() === '' || !Number.isFinite(number)) return severityOfWord(severity) ?? 'medium';
  if (number <= 0) return 'informational';
  if (number <= 3) return 'low';
  if (number <= 6) return 'medium';
  return number <= 8 ? 'high' : 'critical';
}

/** `MMM dd [yyyy] HH:mm:ss[.SSS] [UTC]`, or a number. Without a year it is this one. */
function cefTime(given: string | undefined): string | undefined {
  const match = given && MONTH_TIME.exec(given);
  if (!match) return timeOf(given);
  const [, month = '', day = '', year = new Date().getUTCFullYear(), time = '', ms = '0'] = match;
  const at = MONTHS.indexOf(month) + 1;
  return `${year}-${String(at).padStart(2, '0')}-${day.padStart(2, '0')}T${time}.${ms.padEnd(3, '0')}Z`;
}
