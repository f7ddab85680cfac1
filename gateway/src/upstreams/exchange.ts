import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Endpoint, ServiceName } from '@muster/contracts';
import type { AppError } from '@muster/service-kit';
import type { Request, Response } from 'express';
import { hasBody, maxBytesOf, watchBody } from '../limits/body.ts';
import { codeOf } from './agents.ts';
import { isAcceptable, passOn } from './answer.ts';
import type { Passage } from './breaker.ts';
import { badGateway, timedOut, unreachable } from './failures.ts';

/** One request on its way to a service. */
export interface Call {
  request: Request;
  response: Response;
  service: ServiceName;
  endpoint: Endpoint;
  /** Where the service listens. */
  url: URL;
  /** How long it may take to answer, and between two pieces of a body. */
  timeoutMs: number;
  passage: Passage;
  /** Told at most once, and only while nothing of an answer was sent. */
  failed: (error: AppError) => void;
}

export interface Exchange {
  url: URL;
  /** A connection is there and the request goes out on it. */
  sending(outgoing: ClientRequest): void;
  answered(answer: IncomingMessage): void;
  broke(error: unknown): void;
}

/** True for what may be sent twice: GET and HEAD without a body. */
export function mayRepeat(request: IncomingMessage): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && !hasBody(request);
}

/** Follows one call to its end: deadline, body limit, answer, failure. `sendAgain` uses a new connection. */
export function startExchange(call: Call, sendAgain: () => void): Exchange {
  const { request, response, service, endpoint, timeoutMs, passage } = call;
  const deadline = setTimeout(expired, timeoutMs);
  let outgoing: ClientRequest | undefined;
  let repeated = false;
  let over = false;

  response.once('close', () => {
    over = true;
    clearTimeout(deadline);
    passage.abandoned();
    // Whoever left takes the request along.
    if (!response.writableFinished) outgoing?.destroy();
  });

  function sending(started: ClientRequest): void {
    outgoing = started;
    if (over) started.destroy();
    else if (hasBody(request))
      watchBody(request, maxBytesOf(endpoint), { progress: () => deadline.refresh(), exceeded: end });
  }

  function answered(answer: IncomingMessage): void {
    if (over) return;
    passage.succeeded();
    if (!isAcceptable(answer, endpoint)) {
      end(badGateway(service, `it answered ${answer.statusCode} with something that is no problem document`));
      return;
    }
    if (endpoint.produces === 'text/event-stream') clearTimeout(deadline);
    else answer.on('data', () => deadline.refresh());
    passOn(answer, call);
  }

  function broke(error: unknown): void {
    if (over || response.headersSent) return;
    if (isStale(error)) {
      repeated = true;
      outgoing = undefined;
      sendAgain();
      return;
    }
    passage.failed();
    end(outgoing ? badGateway(service, error) : unreachable(service, error));
  }

  /** A kept connection that the service had closed already: the request never arrived. */
  function isStale(error: unknown): boolean {
    const cut = ['ECONNRESET', 'EPIPE'].includes(codeOf(error));
    return cut && !repeated && outgoing?.reusedSocket === true && mayRepeat(request);
  }

  function expired(): void {
    passage.failed();
    end(timedOut(service, timeoutMs));
  }

  function end(error: AppError): void {
    over = true;
    clearTimeout(deadline);
    outgoing?.destroy();
    if (response.headersSent) response.destroy();
    else call.failed(error);
  }

  return { url: call.url, sending, answered, broke };
}
