import { AppError } from '@muster/service-kit';

/** A request's target as it was sent: nothing decoded, nothing resolved. */
export interface Target {
  path: string;
  /** With its question mark, or empty. */
  query: string;
}

/**
 * Splits a raw request target into path and query.
 * Raises `malformed-url` for targets that are no path, such as `http://elsewhere/` or `*`.
 */
export function targetOf(url: string): Target {
  if (!url.startsWith('/')) {
    throw new AppError('malformed-url', 'Ask for a path that starts with a slash, such as /api/sessions/.');
  }
  const mark = url.indexOf('?');
  return mark === -1 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark) };
}
