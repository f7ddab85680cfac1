import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes as drawBytes } from 'node:crypto';

/** What travels with a piece of work through requests, events and jobs. */
export interface Trace {
  requestId: string;
  /** W3C trace context, https://www.w3.org/TR/trace-context/. */
  traceparent: string;
  orgId?: string;
}

const current = new AsyncLocalStorage<Trace>();
const BATCH = 4_096;
let batch = Buffer.alloc(0);
let taken = 0;

/** Random bytes, of which many are drawn at once: ids are made for each request. */
function randomBytes(count: number): Buffer {
  if (taken + count > batch.length) {
    batch = drawBytes(BATCH);
    taken = 0;
  }
  taken += count;
  return batch.subarray(taken - count, taken);
}

/** The trace of the work under way, if any. */
export function currentTrace(): Trace | undefined {
  return current.getStore();
}

/** Runs work under a trace; all that it logs, emits and enqueues carries it. */
export function withTrace<T>(trace: Trace, work: () => T): T {
  return current.run(trace, work);
}

/** Neither id may be all zeros. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The ids of a traceparent, or undefined where it is absent or not well-formed. */
export function parsedTraceparent(given: string | undefined) {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(given ?? '') ?? [];
  return traceId && spanId && flags ? { traceId, spanId, traceFlags: Number.parseInt(flags, 16) } : undefined;
}

/** A child of the given traceparent, or a new root where it is absent or not well-formed. */
export function childTraceparent(parent: string | undefined): string {
  const traceId = parsedTraceparent(parent)?.traceId ?? randomBytes(16).toString('hex');
  return `00-${traceId}-${randomBytes(8).toString('hex')}-01`;
}

/** The caller's request id if it is a sane one, else a new one. */
export function requestIdOf(given: string | undefined): string {
  return given !== undefined && REQUEST_ID.test(given)
    ? given
    : `req-${randomBytes(9).toString('base64url')}`;
}
