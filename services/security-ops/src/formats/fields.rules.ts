import type { EventSeverity } from '@muster/contracts';

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path such as `event.severity`, whether its keys are nested, dotted, or both. */
export function at(fields: unknown, path: string): unknown {
  if (!isFields(fields)) return undefined;
  if (Object.hasOwn(fields, path)) return fields[path];
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const head = path.slice(0, dot);
    if (!Object.hasOwn(fields, head)) continue;
    const found = at(fields[head], path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A value as text, where it is some. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** A number, also one that is written as text; NaN for anything else. */
export const numberOf = (value: unknown): number => Number(textOf(value) ?? Number.NaN);

/** The first of some paths that holds text. */
export function firstText(fields: unknown, ...paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const found = textOf(at(fields, path));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Every text at some paths; a path may lead to one or to a list. */
export function allTexts(fields: unknown, ...paths: readonly string[]): string[] {
  return paths.flatMap((path) => listOf(at(fields, path)).flatMap((one) => textOf(one) ?? []));
}

/** A list as it is, anything else as a list of one. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

const NUMBER = /^\d+(?:\.\d+)?$/;
const WITHOUT_ZONE = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?)$/;

/**
 * A source's time as RFC 3339: seconds, milliseconds, microseconds or nanoseconds since 1970, told apart by size, or
 * text. A time without a zone is taken as UTC. What is none stays as it came, for the check to refuse.
 */
export function timeOf(value: unknown): string | undefined {
  const given = textOf(value);
  if (given === undefined) return undefined;
  if (NUMBER.test(given)) return fromNumber(Number(given)) ?? given;
  const bare = WITHOUT_ZONE.exec(given);
  if (bare) return `${bare[1]}T${bare[2]}Z`;
  return given.replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
}

function fromNumber(value: number): string | undefined {
  const digits = Math.trunc(value).toString().length;
  const perMs = digits <= 11 ? 1e-3 : digits <= 14 ? 1 : digits <= 17 ? 1e3 : 1e6;
  const time = new Date(value / perMs);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

const SEVERITY_WORDS: Readonly<Record<string, EventSeverity>> = {
  informational: 'informational',
  information: 'informational',
  info: 'informational',
  notice: 'informational',
  debug: 'informational',
  low: 'low',
  medium: 'medium',
  moderate: 'medium',
  warning: 'medium',
  warn: 'medium',
  high: 'high',
  error: 'high',
  'very-high': 'critical',
  'very high': 'critical',
  critical: 'critical',
  fatal: 'critical',
  severe: 'critical',
  alert: 'critical',
  emergency: 'critical',
};

/** The severity that a word means, or undefined. */
export function severityOfWord(value: unknown): EventSeverity | undefined {
  const word = textOf(value)?.toLowerCase();
  return word !== undefined && Object.hasOwn(SEVERITY_WORDS, word) ? SEVERITY_WORDS[word] : undefined;
}
