import { AppError } from '../errors.ts';

const DEFAULT_WAIT_S = 10;
const MAX_WAIT_S = 60;

/**
 * How long a caller waits for queued work, in milliseconds, by RFC 7240's `Prefer`: `respond-async` not at all,
 * `wait=N` N seconds (0..60), absent 10 s. Raises `malformed-header` for any other preference.
 */
export function waitOf(prefer: string | undefined): number {
  if (prefer === undefined) return DEFAULT_WAIT_S * 1000;
  const preferences = prefer.split(',').map((part) => part.trim().toLowerCase());
  const waits = preferences.filter((preference) => preference !== 'respond-async').map(secondsOf);
  // `respond-async, wait=5` waits five seconds before it answers with the job (RFC 7240, section 4.3).
  return (waits[0] ?? 0) * 1000;
}

function secondsOf(preference: string): number {
  const seconds = Number(/^wait=(\d{1,3})$/.exec(preference)?.[1] ?? Number.NaN);
  if (seconds <= MAX_WAIT_S) return seconds;
  throw new AppError(
    'malformed-header',
    `Prefer may be "respond-async" or "wait=N" with N from 0 to ${MAX_WAIT_S}.`,
  );
}
/** The caller's Idempotency-Key: 1..255 visible characters. Raises `malformed-header`. */
export function idempotencyKeyOf(given: string | string[] | undefined): string | undefined {
  if (given === undefined) return undefined;
  if (typeof given === 'string' && /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(given))
    return given;
  throw new AppError('malformed-header', 'Idempotency-Key must have 1 to 255 visible ASCII characters.');
}

/** True when one of the entity tags in an `If-Match` or `If-None-Match` header is the given one (weak comparison). */
export function matchesEtag(header: string, etag: string): boolean {
  const bare = (tag: string) => tag.trim().replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((tag) => bare(tag) === bare(etag));
}
