import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { validate } from 'uuid';

const TOKEN_SECONDS = 300;
/** Clocks differ: a token that is revoked must have ended everywhere before it is forgotten. */
const SKEW_MS = 60_000;
const SEEN_EVERY_MS = 60_000;

/** A session cookie's parts: `<organization>.<session>.<secret>`. */
export interface SessionCookie {
  org: string;
  id: string;
  secret: string;
}

/** The times that end a session. */
export interface SessionTimes {
  last_seen_at: Date;
  expires_at: Date;
}

/** 256 random bits, 43 characters. */
export const newSecret = () => randomBytes(32).toString('base64url');

export function cookieOf({ org, id, secret }: SessionCookie): string {
  return `${org}.${id}.${secret}`;
}

/** The parts of a cookie, or null when it is none of ours. */
export function readCookie(value: string): SessionCookie | null {
  const [org = '', id = '', secret = '', ...more] = value.split('.');
  const whole = validate(org) && validate(id) && /^[\w-]{43}$/.test(secret) && more.length === 0;
  return whole ? { org, id, secret } : null;
}

export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Compares a secret with a kept digest, in the same time whatever they are. */
export function isSecretOf(secret: string, digest: string): boolean {
  const [given, kept] = [Buffer.from(digestOf(secret)), Buffer.from(digest)];
  return given.length === kept.length && timingSafeEqual(given, kept);
}

/** When a session ends if nobody comes: after the idle time, at its absolute end at the latest. */
export function endOf({ last_seen_at, expires_at }: SessionTimes, idleMinutes: number): Date {
  return new Date(Math.min(last_seen_at.getTime() + idleMinutes * 60_000, expires_at.getTime()));
}

/** Until when a token lives that a session gets now, in seconds since the epoch: never longer than the session. */
export function tokenEnd(end: Date, now: Date): number {
  return Math.min(Math.floor(now.getTime() / 1000) + TOKEN_SECONDS, Math.floor(end.getTime() / 1000));
}

/** Until when a session's last token could still be shown, when the session ends now. */
export function revokedUntil(now: Date): Date {
  return new Date(now.getTime() + TOKEN_SECONDS * 1000 + SKEW_MS);
}

/** Whether it is time to write down again that the session is in use. */
export function isSeenAgain(lastSeen: Date, now: Date): boolean {
  return now.getTime() - lastSeen.getTime() >= SEEN_EVERY_MS;
}
