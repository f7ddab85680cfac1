/** Names the session of somebody who signed in on the web. */
export const SESSION_COOKIE = '__Host-muster_session';
/** Binds a login to the browser that began it. */
export const LOGIN_COOKIE = '__Host-muster_login';

/**
 * A `Set-Cookie` value. The prefix `__Host-` in a cookie's name makes browsers insist on Secure, on this host alone and
 * on the whole of it; loopback counts as secure. Lax, since a login comes back from another site.
 * https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis
 */
export function setCookie(name: `__Host-${string}`, value: string, seconds: number): string {
  return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Lax`;
}

/** The `Set-Cookie` value that ends a cookie. */
export function clearCookie(name: `__Host-${string}`): string {
  return setCookie(name, '', 0);
}
