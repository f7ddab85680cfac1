import type { MediaType, Rendition } from '@muster/contracts';
import type { StoredReply } from './idempotency.ts';

/** Answers 200. `etag` is the resource's version; without one the body's hash serves. */
export function ok<Body>(body: Body, options: { etag?: string } = {}) {
  return { status: 200 as const, body, headers: tagged(options.etag) };
}

/** Answers 201 with where the new resource is. */
export function created<Body>(body: Body, location: string, options: { etag?: string } = {}) {
  return { status: 201 as const, body, headers: { location, ...tagged(options.etag) } };
}

/** Answers 204. */
export function noContent() {
  return { status: 204 as const, body: null };
}

/** Answers 302. `cookies` are whole `Set-Cookie` values. */
export function redirect(location: string, cookies: string[] = []) {
  return {
    status: 302 as const,
    body: null,
    headers: { location, 'cache-control': 'no-store', 'set-cookie': cookies },
  };
}

/** Answers a page, which no cache keeps. */
export function page<Status extends 200 | 400 | 401 | 403>(
  status: Status,
  html: string,
  cookies: string[] = [],
) {
  const body: Rendition = { mediaType: 'text/html', content: html };
  return { status, body, headers: { 'cache-control': 'no-store', 'set-cookie': cookies } };
}

/** Answers 200 with a form of a resource other than JSON; with a `filename`, browsers save it. */
export function rendition(
  mediaType: MediaType,
  content: Rendition['content'],
  options: { etag?: string; filename?: string } = {},
) {
  const saved = options.filename && { 'content-disposition': `attachment; filename="${options.filename}"` };
  const body: Rendition = { mediaType, content };
  return { status: 200 as const, body, headers: { ...tagged(options.etag), ...saved } };
}

/** Leaves the answer to a job: what its result names, if it ends within the caller's wait, else 202 with the job. */
export function queued(jobId: string): Queued {
  return { jobId };
}

export interface Queued {
  jobId: string;
}

const tagged = (etag: string | undefined): Record<string, string> =>
  etag === undefined ? {} : { etag: `"${etag}"` };

/** What goes out: the answer, and whether an Idempotency-Key brought it back. */
export interface Outgoing extends StoredReply {
  replayed: boolean;
}
