import type { RequestHandler } from 'express';
import type { BeginSpan } from '../telemetry/span.ts';
import { requestIdOf, withTrace } from '../telemetry/trace.ts';

/** Gives each request its id and its place in a trace; both travel on with everything it causes. */
export function traced(begin: BeginSpan): RequestHandler {
  return (request, response, next) => {
    const { method } = request;
    const requestId = requestIdOf(request.get('x-request-id'));
    response.set('X-Request-Id', requestId);
    const span = begin({ name: method, kind: 'server', parent: request.get('traceparent') });
    if (span.recorded)
      response.once('close', () => {
        const { statusCode, locals } = response;
        const error = statusCode < 500 ? undefined : `answered ${statusCode}`;
        span.end({ name: locals.endpoint ? `${method} ${locals.endpoint}` : method, error });
      });
    withTrace({ requestId, traceparent: span.traceparent }, next);
  };
}
