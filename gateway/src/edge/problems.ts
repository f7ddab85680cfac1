import type { IncomingMessage } from 'node:http';
import { problemBody } from '@muster/contracts';
import { AppError, type Logger } from '@muster/service-kit';
import type { ErrorRequestHandler, Request, Response } from 'express';

const DRAIN_MS = 5_000;

/** Turns whatever was raised into one problem answer. What a service or we did wrong is logged, once. */
export function problemAnswers(log: Logger): ErrorRequestHandler {
  return (raised, request, response, _next) => {
    const error = raised instanceof AppError ? raised : unexpected(raised);
    if (error.code === 'internal') log.error({ err: error.cause }, 'a request failed unexpectedly');
    else if (error.status >= 500) log.warn({ reason: String(error.cause ?? '') }, error.message);
    if (response.headersSent) response.destroy();
    else answer(request, response, error);
  };
}

function answer(request: Request, response: Response, error: AppError): void {
  const body = problemBody(error.code, {
    detail: error.message,
    instance: (request.url.split('?', 1)[0] ?? '').slice(0, 500),
    // From the answer, not from the trace: an error of the connection itself comes without one.
    requestId: String(response.get('X-Request-Id') ?? ''),
  });
  const text = JSON.stringify(body);
  response
    .status(error.status)
    .set(error.headers)
    .set({ 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' })
    .set('Content-Length', String(Buffer.byteLength(text)));
  if (request.complete) response.end(text);
  else answerWhileReceiving(request, response, text);
}

/**
 * A caller that is still sending reads the answer only afterwards: takes the rest and drops it, for a while. The
 * answer ends after that, since its end may close the connection, and the reset would cost the caller the answer.
 */
function answerWhileReceiving(request: IncomingMessage, response: Response, text: string): void {
  response.write(text);
  const patience = setTimeout(() => request.socket.destroy(), DRAIN_MS).unref();
  request
    .unpipe()
    .resume()
    .once('close', () => {
      clearTimeout(patience);
      response.end();
    });
}

function unexpected(cause: unknown): AppError {
  return new AppError('internal', 'Something went wrong here. The request id helps to find out what.', {
    cause,
  });
}
