import type { IncomingHttpHeaders } from 'node:http';
import { currentTrace } from '@muster/service-kit';
import type { Request } from 'express';

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
const IDENTITY = /^(?:x-user|x-org|x-muster-|x-forwarded-|x-original-|x-rewrite-|x-client-ip|x-real-ip)/;
const GATEWAY_ONLY = new Set(['forwarded', 'x-http-method-override', 'expect']);
/** What the gateway says itself, whatever a service answers. */
const EDGE_OWNED =
  /^(?:x-request-id|x-powered-by|server|ratelimit-(?:limit|remaining|reset)|transfer-encoding)$/;

/**
 * The headers a service gets: the caller's without hop-by-hop ones and without claims of identity,
 * plus the trace and where the request came from (`request.ip` is past the trusted proxies).
 */
export function requestHeaders(request: Request, publicOrigin: string | undefined): IncomingHttpHeaders {
  const named = namedByConnection(request.headers.connection);
  const kept = Object.entries(request.headers).filter(
    ([name]) => !HOP_BY_HOP.has(name) && !named.has(name) && !IDENTITY.test(name) && !GATEWAY_ONLY.has(name),
  );
  const trace = currentTrace();
  const { protocol, host } = publicOrigin ? new URL(publicOrigin) : request;
  return {
    ...Object.fromEntries(kept),
    ...(request.ip && { 'x-forwarded-for': request.ip }),
    ...(host && { 'x-forwarded-host': host }),
    'x-forwarded-proto': protocol.replace(':', ''),
    ...(trace && { 'x-request-id': trace.requestId, traceparent: trace.traceparent }),
  };
}

/** The headers of a service's answer that the caller gets, as name and value. */
export function responseHeaders(headers: IncomingHttpHeaders): [string, string | string[]][] {
  const named = namedByConnection(headers.connection);
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || HOP_BY_HOP.has(name) || named.has(name) || EDGE_OWNED.test(name)
      ? []
      : [[name, value]],
  );
}

/** `Connection` names further headers that end at this hop; framing and credentials cannot be dropped that way. */
function namedByConnection(connection: string | undefined): Set<string> {
  const names = (connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const protectedNames = [
    'host',
    'content-length',
    'transfer-encoding',
    'authorization',
    'cookie',
    'set-cookie',
  ];
  return new Set(names.filter((name) => !protectedNames.includes(name)));
}
