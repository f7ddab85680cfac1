import type { RequestHandler } from 'express';
import { childTraceparent, requestIdOf, withTrace } from '../telemetry/trace.ts';

/** Gives each request its id and its place in a trace; both travel on with everything it causes. */
export const traced: RequestHandler = (request, response, next) => {
  const requestId = requestIdOf(request.get('x-request-id'));
  response.set('X-Request-Id', requestId);
  withTrace({ requestId, traceparent: childTraceparent(request.get('traceparent')) }, next);
};
