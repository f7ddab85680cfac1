import { createHash } from 'node:crypto';
import { DAY_MS, MAX_TOKEN_DAYS } from '@muster/contracts';

const SECOND_MS = 1_000;

/** How long whoever fetched the JWKS may keep it. */
export const JWKS_MAX_AGE_S = 60;
/** A service asks for a key id it does not know at most this often. */
const RELEARN_S = 30;
/** By then every copy of the JWKS without the key has gone. */
const PUBLISH_AHEAD_MS = (JWKS_MAX_AGE_S + RELEARN_S) * SECOND_MS;

/** Clocks may differ this much between the one who signs and those who verify. */
const CLOCK_SKEW_MS = 3_600 * SECOND_MS;

/** The public half of a P-256 key, as in a JWK (RFC 7518, section 6.2). */
export interface PublicPoint {
  x: string;
  y: string;
}

/** The key's id: its JWK thumbprint (RFC 7638), SHA-256 over the required members in lexicographic order. */
export function thumbprint({ x, y }: PublicPoint): string {
  const members = JSON.stringify({ crv: 'P-256', kty: 'EC', x, y });
  return createHash('sha256').update(members).digest('base64url');
}

/** Whether a key that signs since `activatedAt` has signed for `days` days. */
export function rotationDue(activatedAt: Date, days: number, now: Date): boolean {
  return now.getTime() - activatedAt.getTime() >= days * DAY_MS;
}

/**
 * Seconds until the next key may sign: everyone must have had time to learn it. 0 when it may now. The first two keys
 * are published together, so nobody knows one without the other.
 */
export function secondsUntilKnown(
  next: { created_at: Date },
  active: { created_at: Date },
  now: Date,
): number {
  if (next.created_at <= active.created_at) return 0;
  const left = next.created_at.getTime() + PUBLISH_AHEAD_MS - now.getTime();
  return Math.max(0, Math.ceil(left / SECOND_MS));
}

/** Until when a key that retires now stays published: the last token it signed has expired by then on every clock. */
export function keepUntil(now: Date): Date {
  return new Date(now.getTime() + MAX_TOKEN_DAYS * DAY_MS + CLOCK_SKEW_MS);
}
