import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';

/** A document that is made once and served from memory. */
export interface Page {
  type: string;
  body: Buffer;
  /** Cache-Control. */
  cache: string;
}

/** Checked on each use: it changes with every release. */
export const REVALIDATED = 'no-cache';
/** Changes only with the version of a package. */
export const CACHED = 'public, max-age=3600';

/** A JSON document. */
export function jsonPage(document: unknown, type = 'application/json'): Page {
  return { type, body: Buffer.from(JSON.stringify(document)), cache: REVALIDATED };
}

/** Serves a page: whole, or 304 to those who have it. */
export function servePage({ type, body, cache }: Page): RequestHandler {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  return (request, response) => {
    response.set({ ETag: etag, 'Cache-Control': cache });
    if (request.fresh) {
      response.status(304).end();
      return;
    }
    response.set({ 'Content-Type': type, 'Content-Length': String(body.length) }).end(body);
  };
}
