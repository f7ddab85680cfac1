import { loginApi } from '@muster/contracts';
import { AppError } from '@muster/service-kit';
import type { RequestHandler } from 'express';
import { destinationOf } from '../routing/destination.ts';
import { CLEARED_COOKIE, sessionCookie } from './cookie.ts';
import type { SessionTokens } from './tokens.ts';

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
    headers: { 'www-authenticate': 'Bearer', 'set-cookie': CLEARED_COOKIE },
  });
}
