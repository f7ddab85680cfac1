import { createHash, randomBytes } from 'node:crypto';

const LIFE_MS = 72 * 60 * 60_000;
const SECRET_BYTES = 32;

/** The secret of a new invitation, and when it ends. */
export function newInvite(now: Date): { secret: string; expires_at: Date } {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { secret, expires_at: new Date(now.getTime() + LIFE_MS) };
}

/** What is kept of an invitation's secret: SHA-256. It has 256 bits of its own, so nothing slower is needed. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** The token in an invitation's link: the organization, so that its rows can be asked, and the secret. */
export function tokenOf(org: string, secret: string): string {
  return `${org}.${secret}`;
}

/** The parts of a token; null for a text that is none. */
export function partsOf(token: string): { org: string; secret: string } | null {
  const parts = /^([0-9a-f-]{36})\.([A-Za-z0-9_-]{43})$/.exec(token);
  return parts?.[1] && parts[2] ? { org: parts[1], secret: parts[2] } : null;
}

/** Where an invitation is accepted. @param origin the product's public origin, without a slash at its end */
export function inviteUrl(origin: string, token: string): string {
  return `${origin}/auth/invite?token=${encodeURIComponent(token)}`;
}

/** What a link on its way to the mail job is bound to. */
export const linkBinding = (org: string, invite: string) => `${org}/invites/${invite}/link`;
