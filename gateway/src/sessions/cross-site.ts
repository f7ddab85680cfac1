import { AppError } from '@muster/service-kit';
import type { Request, RequestHandler } from 'express';
import type { GatewayConfig } from '../config.ts';
import { destinationOf } from '../routing/destination.ts';
import { sessionCookie } from './cookie.ts';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Raises `cross-site` for what a page of another site made a browser send: it would act for whoever is signed in, or
 * in development mode as the demo owner. A cookie changes things only with an Origin, or Sec-Fetch-Site, that is ours.
 */
export function sameSiteOnly(config: Pick<GatewayConfig, 'PUBLIC_ORIGIN' | 'MUSTER_MODE'>): RequestHandler {
  return (request, response, next) => {
    // A page cannot make a browser add it without being asked first (CORS).
    if (request.headers.authorization !== undefined) return next();
    const usesCookie =
      sessionCookie(request.headers) !== undefined && destinationOf(response).endpoint.role !== 'public';
    if (isFromElsewhere(request, usesCookie, ownOrigins(request, config))) {
      throw new AppError(
        'cross-site',
        'A page of another site sent this, which may not act for who is signed in here: send a bearer token.',
      );
    }
    next();
  };
}

function isFromElsewhere(request: Request, usesCookie: boolean, own: (string | undefined)[]): boolean {
  const changes = !READING.has(request.method);
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin !== undefined) return (changes || usesCookie) && !own.includes(origin);
  return changes && (site === undefined ? usesCookie : site !== 'same-origin');
}

/** In development also wherever the request went: its host has been found to be loopback. */
function ownOrigins(request: Request, config: Pick<GatewayConfig, 'PUBLIC_ORIGIN' | 'MUSTER_MODE'>) {
  if (config.MUSTER_MODE === 'production') return [config.PUBLIC_ORIGIN];
  const asked = `${request.protocol}://${request.host}`;
  return [config.PUBLIC_ORIGIN, URL.canParse(asked) ? new URL(asked).origin : undefined];
}
