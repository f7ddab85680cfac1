import { AppError } from '../errors.ts';
import { refused } from './policy.ts';

/** What is asked of one address. */
export interface Ask {
  url: URL;
  method: string;
  headers: Headers;
  body: string | Uint8Array | undefined;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** What another origin is told of a request; keys and cookies have many names. */
const TOLD_ELSEWHERE = new Set(['accept', 'accept-language', 'content-type', 'user-agent']);

/** True when an answer sends on to another address. */
export function isRedirect(status: number, headers: Headers): boolean {
  return REDIRECTS.has(status) && headers.has('location');
}

/**
 * The request to where a redirect leads, as browsers make it (Fetch, HTTP-redirect fetch), but for another origin with
 * nothing that could be a secret in its headers. Its address is still to be checked.
 * @throws AppError when it leads away from https, or nowhere
 */
export function redirected(from: Ask, status: number, location: string): Ask {
  if (!URL.canParse(location, from.url.href))
    throw new AppError('bad-gateway', `${from.url.hostname} sends on to an address that is none.`);
  const url = new URL(location, from.url);
  if (from.url.protocol === 'https:' && url.protocol === 'http:')
    throw refused(`${from.url.hostname} sends on to an address without https.`);
  const headers = new Headers(from.headers);
  if (url.origin !== from.url.origin) {
    for (const name of [...headers.keys()]) if (!TOLD_ELSEWHERE.has(name)) headers.delete(name);
  }
  if (!becomesGet(from.method, status)) return { ...from, url, headers };
  headers.delete('content-type');
  return { url, method: 'GET', headers, body: undefined };
}

const becomesGet = (method: string, status: number) =>
  status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST';
