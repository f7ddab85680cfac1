/** Where someone lands who asked for nothing, or for what they should not get. */
export const HOME = '/';

/** Browsers drop or turn some of these, so that an address means another one than it says. */
const DECEPTIVE = /[\\\p{Cc}\p{Cf}\p{Z}]/u;

/**
 * The path and query to go to after a login: what was asked for when it is on this site, else home. Never a page that
 * logs in or out again.
 * @param origin the site's own, such as https://muster.example.org
 */
export function returnPath(asked: string | undefined, origin: string): string {
  if (asked === undefined || DECEPTIVE.test(asked) || !URL.canParse(asked, origin)) return HOME;
  const url = new URL(asked, origin);
  if (url.origin !== origin) return HOME;
  const path = decoded(url.pathname);
  // A path that begins with two slashes is another site's address.
  if (path === null || DECEPTIVE.test(path) || path.includes('//')) return HOME;
  if (/^\/auth(\/|$)/i.test(path)) return HOME;
  return url.pathname + url.search;
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
