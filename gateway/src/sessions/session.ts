import { clearCookie, loginApi, SESSION_COOKIE } from '@muster/contracts';
import { AppError, refuseCrossSite } from '@muster/service-kit';
import type { Request, RequestHandler } from 'express';
import type { GatewayConfig } from '../config.ts';
import { sessionCookie } from '../edge/caller.ts';
import { destinationOf } from '../routing/routes.ts';
import type { SessionTokens } from './tokens.ts';

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

/**
 * Puts a token in the place of a web session's cookie, since services know tokens only. Raises `unauthorized`, and
 * clears the cookie, where identity refuses it. Public endpoints need no token: there a bad cookie does no harm.
 */
export function sessions(tokens: SessionTokens): RequestHandler {
  return async (request, response, next) => {
    const { endpoint } = destinationOf(response);
    const cookie = sessionCookie(request.headers);
    if (cookie === undefined || endpoint.role === 'public') return next();
    const token = await tokens.of(cookie);
    if (token === null) throw refused();
    response.once('close', () => {
      const over = endpoint === loginApi.endpoints.logout || response.statusCode === 401;
      if (over) tokens.forget(cookie);
    });
    request.headers.authorization = `Bearer ${token}`;
    next();
  };
}

function refused(): AppError {
  return new AppError('unauthorized', 'The session has ended: sign in again.', {
    headers: { 'www-authenticate': 'Bearer', 'set-cookie': clearCookie(SESSION_COOKIE) },
  });
}
