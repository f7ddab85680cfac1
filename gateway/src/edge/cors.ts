import cors from 'cors';
import type { RequestHandler } from 'express';

const PREFLIGHT_KEPT_S = 600;
const SENT = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Prefer',
  'X-Request-Id',
];
const EXPOSED = [
  'ETag',
  'Location',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
  'Idempotency-Replayed',
];

/**
 * Lets pages of these origins, and no others, call with bearer tokens and read the answers. Never with cookies.
 * @param origins such as `https://portal.example.org`; none turns it off
 */
export function crossOrigin(origins: readonly string[]): RequestHandler {
  const allow = cors({
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: SENT,
    exposedHeaders: EXPOSED,
    maxAge: PREFLIGHT_KEPT_S,
  });
  return (request, response, next) => {
    if (origins.length === 0) return next();
    response.vary('Origin');
    const { origin = '', 'access-control-request-method': preflight } = request.headers;
    // The package would take every OPTIONS for a preflight.
    const isPlainOptions = request.method === 'OPTIONS' && preflight === undefined;
    if (!origins.includes(origin) || isPlainOptions) return next();
    allow(request, response, next);
  };
}
