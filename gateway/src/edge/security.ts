import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
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
