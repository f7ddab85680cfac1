import { refuseCrossSite } from '@muster/service-kit';
import type { Request, RequestHandler } from 'express';
import type { GatewayConfig } from '../config.ts';
import { destinationOf } from '../routing/destination.ts';
import { sessionCookie } from './cookie.ts';

/** Raises `cross-site` for what a page of another site made a browser send without a token. */
export function sameSiteOnly(config: Pick<GatewayConfig, 'PUBLIC_ORIGIN' | 'MUSTER_MODE'>): RequestHandler {
  return (request, response, next) => {
    const usesCookie =
      sessionCookie(request.headers) !== undefined && destinationOf(response).endpoint.role !== 'public';
    refuseCrossSite(request, { usesCookie, own: ownOrigins(request, config) });
    next();
  };
}

/** In development also wherever the request went: its host has been found to be loopback. */
function ownOrigins(request: Request, config: Pick<GatewayConfig, 'PUBLIC_ORIGIN' | 'MUSTER_MODE'>) {
  if (config.MUSTER_MODE === 'production') return [config.PUBLIC_ORIGIN];
  const asked = `${request.protocol}://${request.host}`;
  return [config.PUBLIC_ORIGIN, URL.canParse(asked) ? new URL(asked).origin : undefined];
}
