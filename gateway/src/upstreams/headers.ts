import type { IncomingHttpHeaders } from 'node:http';
import { currentTrace } from '@muster/service-kit';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { callerOf } from '../edge/caller.ts';

/** They belong to one connection, RFC 9110 section 7.6.1. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
]);
/** What only the gateway may tell a service: who calls, from where, and for which address. */
const IDENTITY =
  /^(?:x-user|x-org|x-muster-|x-auth|x-remote-|x-forwarded-|x-original-|x-rewrite-|x-client-|x-real-ip|x-cluster-client-ip)/;
const GATEWAY_ONLY = new Set([
  'forwarded',
  'remote-user',
  'true-client-ip',
  'cf-connecting-ip',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'expect',
]);
/** What the gateway says itself, whatever a service answers. */
const EDGE_OWNED =
  /^(?:x-request-id|x-powered-by|server|ratelimit-(?:limit|remaining|reset)|transfer-encoding|content-security-policy(?:-report-only)?|strict-transport-security|x-frame-options|x-content-type-options|referrer-policy|cross-origin-\w+-policy|origin-agent-cluster|access-control-.+)$/;

const isSent = remembered(
  (name) => !HOP_BY_HOP.has(name) && !IDENTITY.test(name) && !GATEWAY_ONLY.has(name) && name !== 'cookie',
);
const isReturned = remembered(
  (name) => !HOP_BY_HOP.has(name) && !EDGE_OWNED.test(name) && name !== 'set-cookie',
);

/**
 * The headers a service gets: the caller's without hop-by-hop ones and without claims of identity, plus the trace and
 * where the request came from.
 * @param options.cookies whether the service may see them
 */
export function requestHeaders(
  request: Request,
  options: { publicOrigin: URL | undefined; cookies: boolean },
): IncomingHttpHeaders {
  const given = request.headers;
  const named = namedByConnection(given.connection);
  const headers: IncomingHttpHeaders = {};
  for (const name in given) if (isSent(name) && !named?.has(name)) headers[name] = given[name];
  if (headers['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked';
  if (options.cookies && given.cookie !== undefined) headers.cookie = given.cookie;
  const { protocol, host } = options.publicOrigin ?? request;
  headers['x-forwarded-for'] = callerOf(request).address;
  if (host) headers['x-forwarded-host'] = host;
  headers['x-forwarded-proto'] = protocol.startsWith('https') ? 'https' : 'http';
  const trace = currentTrace();
  if (trace) {
    headers['x-request-id'] = trace.requestId;
    headers.traceparent = trace.traceparent;
  }
  return headers;
}

/**
 * Calls `set` with each header of a service's answer that the caller gets.
 * @param options.cookies whether the service may set them
 */
export function eachResponseHeader(
  headers: IncomingHttpHeaders,
  options: { cookies: boolean },
  set: (name: string, value: string | string[]) => void,
): void {
  const named = namedByConnection(headers.connection);
  for (const name in headers) {
    const value = headers[name];
    const passes = isReturned(name) || (name === 'set-cookie' && options.cookies);
    if (value !== undefined && passes && !named?.has(name)) set(name, value);
  }
}

/** Header names are few, but for those that somebody makes up. */
function remembered(decide: (name: string) => boolean): (name: string) => boolean {
  const known = new LRUCache<string, boolean>({ max: 500 });
  return (name) => {
    const decided = known.get(name) ?? decide(name);
    known.set(name, decided);
    return decided;
  };
}

/** `Connection` names further headers that end at this hop; framing and credentials cannot be dropped that way. */
function namedByConnection(connection: string | undefined): Set<string> | null {
  if (connection === undefined || PLAIN_CONNECTION.test(connection)) return null;
  const names = connection.split(',').map((name) => name.trim().toLowerCase());
  return new Set(names.filter((name) => !PROTECTED.has(name)));
}

const PLAIN_CONNECTION = /^(?:keep-alive|close)$/i;
const PROTECTED = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'authorization',
  'cookie',
  'set-cookie',
]);
