import type { Logger, Metrics } from '@muster/service-kit';
import type { RequestHandler } from 'express';
import { callerOf } from '../limits/caller.ts';

/** A measurement for each request, and at LOG_LEVEL=debug a line. The query stays out: it may hold secrets. */
export function observed(log: Logger, metrics: Metrics): RequestHandler {
  const talkative = log.isLevelEnabled('debug');
  return (request, response, next) => {
    const started = performance.now();
    const { method, url } = request;
    const { address: ip } = callerOf(request);
    response.once('close', () => {
      const ms = performance.now() - started;
      const status = response.writableFinished ? response.statusCode : 499;
      metrics.requests.observe({ endpoint: response.locals.endpoint ?? 'unmatched', status }, ms / 1000);
      if (!talkative) return;
      log.debug(
        { method, path: url.split('?', 1)[0]?.slice(0, 300), status, ms: Math.round(ms), ip },
        'request',
      );
    });
    next();
  };
}
