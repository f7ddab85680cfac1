import { createHash } from 'node:crypto';
import type { Endpoint } from '@muster/contracts';
import type { Request, Response } from 'express';
import type { Outgoing } from './command.ts';
import { matchesEtag } from './headers.ts';

/** Writes an answer: entity tag, 304 where the caller has it already, JSON else. Streams bodies that are async iterables. */
export async function send(
  request: Request,
  response: Response,
  endpoint: Endpoint,
  out: Outgoing,
): Promise<void> {
  response.status(out.status).set(out.headers);
  if (out.replayed) response.set('Idempotency-Replayed', 'true');
  if (isStream(out.body)) return await stream(request, response, endpoint, out.body);
  if (out.body === null || out.body === undefined) {
    response.end();
    return;
  }
  const json = JSON.stringify(out.body);
  const etag = out.headers.etag ?? `"${createHash('sha256').update(json).digest('base64url').slice(0, 27)}"`;
  response.set('ETag', etag);
  const known = request.headers['if-none-match'];
  if (isReading(request) && known !== undefined && out.status === 200 && matchesEtag(known, etag)) {
    response.status(304).end();
    return;
  }
  response.set('Content-Type', endpoint.produces ?? 'application/json; charset=utf-8');
  if (out.headers['cache-control'] === undefined) response.set('Cache-Control', 'private, no-cache');
  response.set('Content-Length', String(Buffer.byteLength(json)));
  response.end(request.method === 'HEAD' ? undefined : json);
}

const isReading = ({ method }: Request) => method === 'GET' || method === 'HEAD';
const isStream = (body: unknown): body is AsyncIterable<string> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

async function stream(
  request: Request,
  response: Response,
  endpoint: Endpoint,
  chunks: AsyncIterable<string>,
): Promise<void> {
  response.set({
    'Content-Type': endpoint.produces ?? 'text/plain',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  response.flushHeaders();
  if (request.method !== 'HEAD') for await (const chunk of chunks) response.write(chunk);
  response.end();
}
