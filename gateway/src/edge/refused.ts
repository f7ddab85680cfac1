import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { problemBody } from '@muster/contracts';
import { requestIdOf } from '@muster/service-kit';
import type { Response } from 'express';

const LINGER_MS = 1_000;
const DRAIN_MS = 5_000;

/** Answers on the bare connection what never became a request: unreadable, too long, or too slow HTTP. */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const requestId = requestIdOf(undefined);
  const problem = problemFor(error.code, requestId);
  const body = JSON.stringify(problem);
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  // A caller that is still sending would lose the answer to a reset.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function problemFor(code: string | undefined, requestId: string) {
  const about = (detail: string) => ({ detail, instance: '', requestId });
  if (code === 'HPE_HEADER_OVERFLOW') {
    return problemBody(
      'headers-too-large',
      about('The address and headers together may have 15 KiB at most.'),
    );
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return problemBody('request-timeout', about('Send the headers and the body without long pauses.'));
  }
  return problemBody('malformed-header', about('This could not be read as HTTP.'));
}

/**
 * Ends a refusal. A caller that is still sending reads it only afterwards: takes the rest and drops it, for a while. The
 * answer ends after that, since its end may close the connection, and the reset would cost the caller the answer.
 */
export function endRefusal(response: Response, text: string): void {
  const { req: request } = response;
  response.set('Content-Length', String(Buffer.byteLength(text)));
  if (request.complete) {
    response.end(text);
    return;
  }
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
