import type { IncomingMessage } from 'node:http';
import type { Endpoint } from '@muster/contracts';
import { AppError } from '@muster/service-kit';

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
