import { AppError, isLoopback } from '@muster/service-kit';
import type { Request, RequestHandler } from 'express';
import type { GatewayConfig } from '../config.ts';

const MAX_FIELDS = 200;
const ONCE = ['host', 'authorization'];

type HostConfig = Pick<GatewayConfig, 'MUSTER_MODE' | 'MUSTER_ALLOW_REMOTE_DEVELOPMENT' | 'PUBLIC_ORIGIN'>;

/** Refuses headers that two readers could understand differently. Raises `malformed-header`, `headers-too-large`. */
export const plainHeaders: RequestHandler = (request, _response, next) => {
  if (request.rawHeaders.length > 2 * MAX_FIELDS) {
    throw new AppError('headers-too-large', `A request may have ${MAX_FIELDS} header fields at most.`);
  }
  for (const name of ONCE) {
    if ((request.headersDistinct[name]?.length ?? 0) > 1) {
      throw new AppError('malformed-header', `The ${name} header may be there once only.`);
    }
  }
  // HTTP/1.1 wants one (RFC 9112, section 3.2); Node's own refusal would have no problem body.
  const { host } = request.headers;
  if (host === undefined && request.httpVersion === '1.1') {
    throw new AppError('malformed-header', 'The Host header is missing.');
  }
  if (host !== undefined && hostnameOf(host) === null) {
    throw new AppError('malformed-header', 'The Host header could not be read.');
  }
  next();
};

/**
 * In development mode whoever reaches the gateway is the demo owner. A foreign page could, by letting its own name
 * lead to this machine (DNS rebinding): so only names that nobody else can have are answered. Raises `forbidden`.
 */
export function loopbackOnly(config: HostConfig): RequestHandler {
  if (config.MUSTER_MODE === 'production' || config.MUSTER_ALLOW_REMOTE_DEVELOPMENT) return pass;
  const publicHost = config.PUBLIC_ORIGIN && new URL(config.PUBLIC_ORIGIN).hostname;
  return (request, _response, next) => {
    for (const hostname of hostnamesOf(request)) {
      if (hostname !== null && (isLoopback(hostname) || hostname === publicHost)) continue;
      throw new AppError(
        'forbidden',
        'Development mode is for this machine: ask for localhost or 127.0.0.1, name this host in PUBLIC_ORIGIN, or set MUSTER_ALLOW_REMOTE_DEVELOPMENT=1.',
      );
    }
    next();
  };
}

const pass: RequestHandler = (_request, _response, next) => next();

/** What was asked for, and what a trusted proxy says was. */
function hostnamesOf(request: Request): (string | null)[] {
  const named = [request.headers.host, request.host].filter((host) => host !== undefined);
  return named.map(hostnameOf);
}

/** The name in a Host header, as a URL has it. Null for one that is none. */
function hostnameOf(host: string): string | null {
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return null;
  return new URL(`http://${host}`).hostname;
}
