import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors.ts';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Raises `cross-site` for what a page of another site made a browser send without a token: it would act for whoever is
 * signed in, or in development mode as the demo owner.
 * @param options.usesCookie such a request changes things only with an Origin, or Sec-Fetch-Site, that is ours
 * @param options.own origins of ours
 */
export function refuseCrossSite(
  request: Pick<IncomingMessage, 'method' | 'headers'>,
  options: { usesCookie: boolean; own: readonly (string | undefined)[] },
): void {
  // A page cannot make a browser add it without being asked first (CORS).
  if (request.headers.authorization !== undefined) return;
  if (!isFromElsewhere(request, options)) return;
  throw new AppError(
    'cross-site',
    'A page of another site sent this, which may not act for who is signed in here: send a bearer token.',
  );
}

function isFromElsewhere(
  { method = '', headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  { usesCookie, own }: Parameters<typeof refuseCrossSite>[1],
): boolean {
  const changes = !READING.has(method);
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined) return (changes || usesCookie) && !own.includes(origin);
  return changes && (site === undefined ? usesCookie : site !== 'same-origin');
}
