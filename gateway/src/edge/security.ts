import type { RequestHandler } from 'express';
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

/**
 * Security headers for every answer.
 * @param overTls whether browsers reach this deployment over https, and must then stay on it
 */
export function securityHeaders(overTls: boolean): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: NOTHING },
    strictTransportSecurity: overTls && { maxAge: 31_536_000 },
    xFrameOptions: { action: 'deny' },
  });
}

/** The policy for a page of ours, in place of the strict one. */
export const pagePolicy: RequestHandler = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: PAGES,
});
