import type { IncomingHttpHeaders } from 'node:http';

const COOKIE = '__Host-muster_session';
const NAMED = new RegExp(`(?:^|;)\\s*${COOKIE}=([^;]+)`);

/** What ends a web session in the browser, as a `Set-Cookie` value. */
export const CLEARED_COOKIE = `${COOKIE}=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax`;

/**
 * The web session cookie that a request is to be judged by: undefined where there is none or an Authorization header
 * counts in its place. Of two the first counts, as in the services.
 */
export function sessionCookie(headers: IncomingHttpHeaders): string | undefined {
  if (headers.authorization !== undefined) return undefined;
  return NAMED.exec(headers.cookie ?? '')?.[1]?.trim() || undefined;
}
