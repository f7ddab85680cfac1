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
  drain(request);
  response
    .status(error.status)
    .set(error.headers)
    .set({ 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' })
    .end(JSON.stringify(body));
}

/** A caller that is still sending reads the answer only afterwards: takes the rest and drops it, for a while. */
function drain(request: IncomingMessage): void {
  if (request.complete) return;
  request.unpipe().resume();
  setTimeout(() => request.complete || request.socket.destroy(), DRAIN_MS).unref();
}

function unexpected(cause: unknown): AppError {
  return new AppError('internal', 'Something went wrong here. The request id helps to find out what.', {
    cause,
  });
}
