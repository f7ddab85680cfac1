import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Endpoint, ServiceName } from '@muster/contracts';
import { AppError } from '@muster/service-kit';
import type { Request, Response } from 'express';
import { applyPagePolicy } from '../edge/security.ts';
import { isLogin } from '../routing/routes.ts';
import { type Passage, unreachable } from './breaker.ts';
import { eachResponseHeader } from './headers.ts';

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
  sending(outgoing: Outgoing): void;
  /** The head of the answer is there. True when the body is to be passed on. */
  answered(head: AnswerHead): boolean;
  /** A piece of the body has come. */
  progress(): void;
  broke(error: unknown): void;
}

/** A request under way, whatever carries it. */
export interface Outgoing {
  /** Whether it goes over a connection that has carried others. */
  reusedSocket: boolean;
  destroy(): void;
}

/** What an answer begins with. */
export interface AnswerHead {
  statusCode: number;
  headers: IncomingHttpHeaders;
}

/** True for what may be sent twice: GET and HEAD without a body. */
export function mayRepeat(request: IncomingMessage): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && !hasBody(request);
}

/** Follows one call to its end: deadline, body limit, answer, failure. `sendAgain` uses a new connection. */
export function startExchange(call: Call, sendAgain: () => void): Exchange {
  const { request, response, service, endpoint, timeoutMs, passage } = call;
  const deadline = setTimeout(expired, timeoutMs);
  const isStream = endpoint.produces === 'text/event-stream';
  let outgoing: Outgoing | undefined;
  let repeated = false;
  let begun = false;
  let over = false;

  response.once('close', () => {
    over = true;
    clearTimeout(deadline);
    passage.abandoned();
    // Whoever left takes the request along.
    if (!response.writableFinished) outgoing?.destroy();
  });

  function sending(started: Outgoing): void {
    outgoing = started;
    if (over) started.destroy();
    else if (hasBody(request))
      watchBody(request, maxBytesOf(endpoint), { progress: () => deadline.refresh(), exceeded: end });
  }

  function answered(head: AnswerHead): boolean {
    if (over) return false;
    passage.succeeded();
    begun = true;
    if (!isAcceptable(head, endpoint)) {
      end(badGateway(service, `it answered ${head.statusCode} with something that is no problem document`));
      return false;
    }
    if (isStream) clearTimeout(deadline);
    passHead(head, call);
    return true;
  }

  function progress(): void {
    if (!isStream) deadline.refresh();
  }

  function broke(error: unknown): void {
    if (over) return;
    if (begun) {
      response.destroy();
      return;
    }
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
    const cut = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(codeOf(error));
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

  return { url: call.url, sending, answered, progress, broke };
}

/** A service broke off, or answered what it may not. */
function badGateway(service: string, cause: unknown): AppError {
  const advice = 'whether the request took effect is not known; with an Idempotency-Key it is safe to repeat';
  return new AppError('bad-gateway', `The ${service} service gave no usable answer: ${advice}.`, { cause });
}

function timedOut(service: string, afterMs: number): AppError {
  return new AppError(
    'gateway-timeout',
    `The ${service} service did not answer within ${Math.round(afterMs / 1000)} s: whether the request took effect is not known.`,
  );
}

const HTML = 'text/html';

/**
 * What did not come from our code is not passed on: an error that is neither a problem nor a page the endpoint
 * declares for it, or a page where none is declared.
 */
export function isAcceptable(head: AnswerHead, endpoint: Endpoint): boolean {
  const { statusCode: status } = head;
  if (status < 200 || status > 599) return false;
  const type = mediaTypeOf(head);
  if (type === HTML) return hasPage(endpoint, status);
  return status < 400 || type === 'application/problem+json';
}

function hasPage(endpoint: Endpoint, status: number): boolean {
  if (endpoint.produces === HTML) return status < 400 || status in endpoint.responses;
  return status < 400 && (endpoint.renditions?.includes(HTML) ?? false);
}

/** Hands the head of a service's answer to the caller. */
function passHead(head: AnswerHead, call: Call): void {
  const { response, service } = call;
  response.statusCode = head.statusCode;
  eachResponseHeader(head.headers, { cookies: service === 'identity' }, (name, value) => {
    if (name === 'vary') response.vary(String(value));
    else response.setHeader(name, value);
  });
  if (mediaTypeOf(head) === HTML) applyPagePolicy(response);
  if (isLogin(call)) response.setHeader('Cache-Control', 'no-store');
  // Head and body leave together where they came together; what comes slowly shows its head without waiting.
  setImmediate(() => {
    if (!response.headersSent && !response.destroyed) response.flushHeaders();
  });
}

const mediaTypeOf = ({ headers }: AnswerHead) =>
  String(headers['content-type'] ?? '')
    .split(';')[0]
    ?.trim()
    .toLowerCase();

const DEFAULT_MAX_BYTES = 1024 * 1024;

/** The largest body an endpoint takes, in bytes. */
export const maxBytesOf = (endpoint: Endpoint) => endpoint.maxBytes ?? DEFAULT_MAX_BYTES;

/**
 * Refuses a body by what its headers say: `too-large` by its length, `malformed-header` for a transfer coding
 * other than plain chunks, which services could read differently than the gateway.
 */
export function checkBodyHeaders(request: IncomingMessage, maxBytes: number): void {
  const coding = request.headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw new AppError('malformed-header', 'Transfer-Encoding may be "chunked" only.', {
      // What follows could be read differently before us (RFC 9112, section 6.3).
      headers: { connection: 'close' },
    });
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

/** Watches a body pass, whoever reads it; calls `exceeded` once when it grows past `maxBytes`. */
export function watchBody(
  request: IncomingMessage,
  maxBytes: number,
  on: { progress: () => void; exceeded: (error: AppError) => void },
): void {
  let bytes = 0;
  const watch = (chunk: Buffer) => {
    bytes += chunk.length;
    on.progress();
    if (bytes <= maxBytes) return;
    request.off('data', watch);
    on.exceeded(tooLarge(maxBytes));
  };
  request.on('data', watch);
}

/** True when a request announces a body. */
export function hasBody(request: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
  return coding !== undefined || length !== '0';
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('too-large', `The body may have ${maxBytes} bytes at most.`);
}

/** The system's code of an error, such as `ECONNREFUSED`, or an empty string. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
