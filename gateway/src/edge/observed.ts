import type { Logger, Metrics } from '@muster/service-kit';
import type { RequestHandler } from 'express';
import { callerAddress } from '../limits/caller.ts';

/** One line in the log and one measurement for each request. The query stays out: it may hold secrets. */
export function observed(log: Logger, metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const { method } = request;
    const ip = callerAddress(request);
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
