import { PROBLEMS, problemBody } from '@muster/contracts';
import { isEngineDown } from '@muster/messaging';
import type { ErrorRequestHandler, Response } from 'express';
import { AppError } from '../errors.ts';
import type { Logger } from '../telemetry/log.ts';
import { Redirect } from './dispatch.ts';
import { malformedUrl } from './refusals.ts';

/**
 * Turns whatever was raised into one problem answer; only what nobody expected is logged as an error, once.
 * @param end sends the body of the answer
 */
export function problemAnswers(
  log: Logger,
  end: (response: Response, text: string) => void = (response, text) => response.send(text),
): ErrorRequestHandler {
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
    end(response, answer(response, request.originalUrl, error));
  };
}

/** Puts the head of the answer in place and gives its body. */
function answer(response: Response, url: string, error: AppError): string {
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
    .set('Cache-Control', 'no-store')
    .type('application/problem+json');
  return JSON.stringify({ ...body, ...error.extra });
}

function asAppError(raised: unknown): AppError {
  if (raised instanceof AppError) return raised;
  if (raised instanceof URIError) return malformedUrl(raised);
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
