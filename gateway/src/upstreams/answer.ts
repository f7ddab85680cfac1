import type { IncomingMessage } from 'node:http';
import type { Endpoint } from '@muster/contracts';
import { applyPagePolicy } from '../edge/security.ts';
import { isLogin } from '../routing/destination.ts';
import type { Call } from './exchange.ts';
import { eachResponseHeader } from './headers.ts';

const HTML = 'text/html';

/**
 * What did not come from our code is not passed on: an error that is neither a problem nor a page the endpoint
 * declares for it, or a page where none is declared.
 */
export function isAcceptable(answer: IncomingMessage, endpoint: Endpoint): boolean {
  const status = answer.statusCode ?? 0;
  if (status < 200 || status > 599) return false;
  const type = mediaTypeOf(answer);
  if (type === HTML) return hasPage(endpoint, status);
  return status < 400 || type === 'application/problem+json';
}

function hasPage(endpoint: Endpoint, status: number): boolean {
  if (endpoint.produces === HTML) return status < 400 || status in endpoint.responses;
  return status < 400 && (endpoint.renditions?.includes(HTML) ?? false);
}

/** Hands a service's answer to the caller as it comes. */
export function passOn(answer: IncomingMessage, call: Pick<Call, 'response' | 'service' | 'endpoint'>): void {
  const { response, service } = call;
  response.statusCode = answer.statusCode ?? 502;
  eachResponseHeader(answer.headers, { cookies: service === 'identity' }, (name, value) => {
    if (name === 'vary') response.vary(String(value));
    else response.setHeader(name, value);
  });
  if (mediaTypeOf(answer) === HTML) applyPagePolicy(response);
  if (isLogin(call)) response.setHeader('Cache-Control', 'no-store');
  answer.pipe(response);
  // Head and body leave together where they came together; what comes slowly shows its head without waiting.
  setImmediate(() => {
    if (!response.headersSent && !response.destroyed) response.flushHeaders();
  });
}

const mediaTypeOf = (answer: IncomingMessage) =>
  (answer.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
