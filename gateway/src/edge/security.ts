import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import cors from 'cors';
import type { RequestHandler, Response } from 'express';
import helmet from 'helmet';

/** Answers are data: a browser that shows one as a page may load and run nothing. */
const NOTHING = { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"], 'base-uri': ["'none'"] };

/**
 * For our own pages. Scripts come from our files only. Swagger UI and ReDoc write style attributes, ReDoc's search
 * runs in a worker that it makes from its own bundle.
 */
const PAGES = {
  ...NOTHING,
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'worker-src': ["'self'", 'blob:'],
  'form-action': ["'self'"],
};

/** For pages that services write, which hold text from outside: they may have a look and forms, and run nothing. */
const SERVICE_PAGES = {
  ...NOTHING,
  'style-src': ["'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'form-action': ["'self'"],
};

/**
 * Security headers for every answer.
 * @param overTls whether browsers reach this deployment over https, and must then stay on it for a year. Not so its
 *   subdomains: under a customer's own domain those are other people's hosts, and a `__Host-` cookie needs no help
 *   against them
 */
export function securityHeaders(overTls: boolean): RequestHandler {
  const headers = headersOf(
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives: NOTHING },
      strictTransportSecurity: overTls && { maxAge: 31_536_000, includeSubDomains: false },
      xFrameOptions: { action: 'deny' },
      referrerPolicy: { policy: 'no-referrer' },
    }),
  );
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

/** What a step sets, which is the same each time. */
function headersOf(step: ReturnType<typeof helmet>): [string, string][] {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  step(response.req, response, () => undefined);
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]);
}

/** The policy for a page of ours, in place of the strict one. */
export const pagePolicy: RequestHandler = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: PAGES,
});

const servicePagePolicy = helmet.contentSecurityPolicy({ useDefaults: false, directives: SERVICE_PAGES });

/** Puts the policy for a service's page in place of the strict one. */
export function applyPagePolicy(response: Response): void {
  servicePagePolicy(response.req, response, () => undefined);
}

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
