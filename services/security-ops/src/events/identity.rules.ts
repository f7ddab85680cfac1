import { createHash } from 'node:crypto';
import { DAY_MS } from '@muster/contracts';

const digest = (text: string) => createHash('sha256').update(text).digest('base64url');

/** What makes an event the same one as another of its organization: its id at its source. */
export const keyOf = (source: string, external_id: string) =>
  digest(`${source}\0${external_id}`).slice(0, 27);

/** The id of an event that its source gave none: equal content, in whatever order of keys, has the same. */
export const contentId = (item: unknown) =>
  `sha256:${createHash('sha256').update(canonical(item)).digest('hex')}`;

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`);
  return `{${entries.join(',')}}`;
}

/**
 * The group of like events that one belongs to: those of the same source, title and techniques that came on the same
 * day (UTC), where numbers, ids and addresses in the title do not tell them apart.
 */
export function groupOf(
  event: { source: string; title: string; techniques: readonly string[] },
  received_at: Date,
): string {
  const day = Math.floor(received_at.getTime() / DAY_MS);
  const techniques = event.techniques.toSorted().join(',');
  return digest(`${day}\0${event.source}\0${pattern(event.title)}\0${techniques}`).slice(0, 22);
}

/** A title without what differs from one alert of a rule to the next. */
export function pattern(title: string): string {
  return title
    .toLowerCase()
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, '#')
    .replace(/\w(?:[\w.-]*\w)?/g, (word) => (/\d/.test(word) ? '#' : word))
    .replace(/(?:#[^\p{L}]*)+/gu, '# ')
    .trim();
}

/** When an event that came at a time is forgotten: at the end of a day, so that a day's events go together. */
export function expiryOf(received_at: Date, days: number): Date {
  const day = Math.floor(received_at.getTime() / DAY_MS);
  return new Date((day + days + 1) * DAY_MS);
}
