import { PROBLEMS, problemBody } from '@muster/contracts';
import { isEngineDown } from '@muster/messaging';
import type { ErrorRequestHandler, Response } from 'express';
import { AppError } from '../errors.ts';
import type { Logger } from '../telemetry/log.ts';
import { Redirect } from './dispatch.ts';

const MALFORMED_URL = 'The address could not be read: check its percent signs.';

/** Turns whatever was raised into one problem answer; only what nobody expected is logged as an error, once. */
export function problemAnswers(log: Logger): ErrorRequestHandler {
  return (raised, request, response, _next) => {
    if (raised instanceof Redirect) {
      response.status(308).set('Location', raised.location).end();
      return;
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const error = asAppError(raised);
    if (error.code === 'internal') log.error({ err: error.cause ?? error }, 'a request failed unexpectedly');
    answer(response, request.originalUrl, error);
  };
}

function answer(response: Response, url: string, error: AppError): void {
  const body = problemBody(error.code, {
    detail: error.message,
    instance: (url.split('?')[0] ?? '').slice(0, 500),
    // From the answer, not from the trace: an error of the connection itself comes without one.
    requestId: String(response.get('X-Request-Id') ?? ''),
    errors: error.errors,
  });
  response
    .status(PROBLEMS[error.code][0])
    .set(error.headers)
    .type('application/problem+json')
    .send(JSON.stringify({ ...body, ...error.extra }));
}

function asAppError(raised: unknown): AppError {
  if (raised instanceof AppError) return raised;
  if (raised instanceof URIError) return new AppError('malformed-url', MALFORMED_URL, { cause: raised });
  if (isEngineDown(raised)) {
    return new AppError('unavailable', 'The database is not reachable right now: try again in a moment.', {
      headers: { 'retry-after': '2' },
      cause: raised,
    });
  }
  return new AppError('internal', 'Something went wrong here. The request id helps to find out what.', {
    cause: raised,
  });
}
