import type { IncomingMessage } from 'node:http';
import type { Endpoint } from '@muster/contracts';
import type { Response } from 'express';
import { responseHeaders } from './headers.ts';

/** An error must be a problem, or of the endpoint's own type; anything else did not come from our code. */
export function isAcceptable(answer: IncomingMessage, endpoint: Endpoint): boolean {
  const status = answer.statusCode ?? 0;
  if (status < 200 || status > 599) return false;
  if (status < 400) return true;
  const type = (answer.headers['content-type'] ?? '').split(';')[0]?.trim();
  return type === 'application/problem+json' || (type === endpoint.produces && type === 'text/html');
}

/** Hands a service's answer to the caller as it comes. */
export function passOn(answer: IncomingMessage, response: Response): void {
  response.status(answer.statusCode ?? 502);
  for (const [name, value] of responseHeaders(answer.headers)) response.setHeader(name, value);
  response.flushHeaders();
  answer.pipe(response);
}
