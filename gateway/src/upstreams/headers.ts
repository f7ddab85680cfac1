import type { IncomingHttpHeaders } from 'node:http';
import { currentTrace } from '@muster/service-kit';
import type { Request } from 'express';
import { callerAddress } from '../limits/caller.ts';

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

/**
 * The headers a service gets: the caller's without hop-by-hop ones and without claims of identity, plus the trace and
 * where the request came from.
 * @param options.cookies whether the service may see them
 */
export function requestHeaders(
  request: Request,
  options: { publicOrigin: string | undefined; cookies: boolean },
): IncomingHttpHeaders {
  const named = namedByConnection(request.headers.connection);
  const kept = Object.entries(request.headers).filter(
    ([name]) => !HOP_BY_HOP.has(name) && !named.has(name) && !IDENTITY.test(name) && !GATEWAY_ONLY.has(name),
  );
  const { cookie, ...headers }: IncomingHttpHeaders = Object.fromEntries(kept);
  const trace = currentTrace();
  const { protocol, host } = options.publicOrigin ? new URL(options.publicOrigin) : request;
  return {
    ...headers,
    ...(headers['transfer-encoding'] !== undefined && { 'transfer-encoding': 'chunked' }),
    ...(options.cookies && cookie !== undefined && { cookie }),
    'x-forwarded-for': callerAddress(request),
    ...(host && { 'x-forwarded-host': host }),
    'x-forwarded-proto': protocol.startsWith('https') ? 'https' : 'http',
    ...(trace && { 'x-request-id': trace.requestId, traceparent: trace.traceparent }),
  };
}

/**
 * The headers of a service's answer that the caller gets, as name and value.
 * @param options.cookies whether the service may set them
 */
export function responseHeaders(
  headers: IncomingHttpHeaders,
  options: { cookies: boolean },
): [string, string | string[]][] {
  const named = namedByConnection(headers.connection);
  const isKept = (name: string) =>
    !HOP_BY_HOP.has(name) &&
    !named.has(name) &&
    !EDGE_OWNED.test(name) &&
    (options.cookies || name !== 'set-cookie');
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || !isKept(name) ? [] : [[name, value]],
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
