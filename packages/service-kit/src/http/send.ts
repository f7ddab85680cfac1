import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { MediaType, Rendition } from '@muster/contracts';
import type { Request, Response } from 'express';
import { matchesEtag } from './headers.ts';
import type { Outgoing } from './reply.ts';

/** Text whose reader may not assume UTF-8; event streams always are. */
const NEEDS_CHARSET = new Set<MediaType>(['text/html', 'text/markdown', 'text/csv']);

/** Writes an answer: entity tag, 304 where the caller has it already, JSON else. Streams what comes in pieces. */
export async function send(request: Request, response: Response, out: Outgoing): Promise<void> {
  response.status(out.status).set(out.headers);
  if (out.replayed) response.set('Idempotency-Replayed', 'true');
  if (isRendition(out.body)) return await sendRendition(request, response, out.body);
  if (out.body === null || out.body === undefined) {
    response.end();
    return;
  }
  const json = JSON.stringify(out.body);
  response.set('Content-Type', 'application/json; charset=utf-8');
  sendWhole(request, response, json);
}

/** Sends a body with its entity tag and length, or a 304 where the caller has it already. */
function sendWhole(request: Request, response: Response, body: string | Uint8Array): void {
  const digest = () => createHash('sha256').update(body).digest('base64url').slice(0, 27);
  const etag = String(response.get('ETag') ?? `"${digest()}"`);
  response.set('ETag', etag);
  const known = request.headers['if-none-match'];
  if (isReading(request) && known !== undefined && response.statusCode === 200 && matchesEtag(known, etag)) {
    response.status(304).end();
    return;
  }
  if (!response.get('Cache-Control')) response.set('Cache-Control', 'private, no-cache');
  response.set('Content-Length', String(Buffer.byteLength(body)));
  response.end(request.method === 'HEAD' ? undefined : body);
}

async function sendRendition(request: Request, response: Response, body: Rendition): Promise<void> {
  const { mediaType, content } = body;
  response.set('Content-Type', NEEDS_CHARSET.has(mediaType) ? `${mediaType}; charset=utf-8` : mediaType);
  if (typeof content === 'string' || content instanceof Uint8Array) {
    sendWhole(request, response, content);
    return;
  }
  response.set({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
  response.flushHeaders();
  if (request.method === 'HEAD') response.end();
  else await pipeline(content, response);
}

const isReading = ({ method }: Request) => method === 'GET' || method === 'HEAD';
/** A body that is no JSON. */
export const isRendition = (body: unknown): body is Rendition =>
  typeof body === 'object' && body !== null && 'mediaType' in body && 'content' in body;
