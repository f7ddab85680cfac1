import { AppError, hostCheck, hostnameOf } from '@muster/service-kit';
import type { RequestHandler } from 'express';
import type { GatewayConfig } from '../config.ts';

const MAX_FIELDS = 200;
const ONCE = ['host', 'authorization'];

/** Refuses headers that two readers could understand differently. Raises `malformed-header`, `headers-too-large`. */
export const plainHeaders: RequestHandler = (request, _response, next) => {
  if (request.rawHeaders.length > 2 * MAX_FIELDS) {
    throw new AppError('headers-too-large', `A request may have ${MAX_FIELDS} header fields at most.`);
  }
  const repeated = repeatedOnce(request.rawHeaders);
  if (repeated) throw new AppError('malformed-header', `The ${repeated} header may be there once only.`);
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

/** The name of a header that is there twice and may not be. */
function repeatedOnce(rawHeaders: readonly string[]): string | undefined {
  return ONCE.find((name) => {
    let seen = 0;
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const given = rawHeaders[at] ?? '';
      if (given.length === name.length && given.toLowerCase() === name) seen += 1;
    }
    return seen > 1;
  });
}

/** Refuses names that this gateway does not go by, whether asked for or told by a trusted proxy. Raises `forbidden`. */
export function knownHost(config: GatewayConfig): RequestHandler {
  const check = hostCheck(config);
  return (request, _response, next) => {
    check(request.headers.host);
    check(request.host);
    next();
  };
}
