import { AppError, type Logger, type Metrics } from '@muster/service-kit';
import type { RequestHandler } from 'express';

/** One line in the log and one measurement for each request. The query stays out: it may hold secrets. */
export function observed(log: Logger, metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const { method, ip } = request;
    const path = request.url.split('?', 1)[0]?.slice(0, 300);
    response.once('close', () => {
      const ms = Math.round(performance.now() - started);
      const status = response.writableFinished ? response.statusCode : 499;
      const endpoint = response.locals.endpoint ?? 'unmatched';
      metrics.requests.observe({ endpoint, status }, ms / 1000);
      log.info({ method, path, status, ms, ip }, 'request');
    });
    next();
  };
}

/** HTTP/1.1 wants a Host header (RFC 9112, section 3.2); Node's own refusal would have no problem body. */
export const hostNamed: RequestHandler = (request, _response, next) => {
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    throw new AppError('malformed-header', 'The Host header is missing.');
  }
  next();
};
