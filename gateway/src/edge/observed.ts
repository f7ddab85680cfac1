import { createServer } from 'node:http';
import { AppError, type Logger, liveness, type Metrics } from '@muster/service-kit';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { callerOf } from './caller.ts';
import { listen } from './server.ts';

/** Answers `GET /live`, for whoever watches this process: before everything else, so that no limit or log line counts it. */
export const live: RequestHandler = (request, response, next) => {
  if (request.url !== '/live' || request.method !== 'GET') return next();
  response.json(liveness());
};

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

/** A line for each request that a service or we did wrong; what nobody expected is logged where it is answered. */
export function failures(log: Logger): ErrorRequestHandler {
  return (raised, _request, _response, next) => {
    if (raised instanceof AppError && raised.status >= 500 && raised.code !== 'internal')
      log.warn({ reason: String(raised.cause ?? '') }, raised.message);
    next(raised);
  };
}

/** Serves the metrics for Prometheus, on this machine only: they are nobody else's business. */
export async function serveMetrics(
  metrics: Metrics,
  port: number,
): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('Content-Type', metrics.registry.contentType).end(await metrics.registry.metrics());
  });
  return {
    url: await listen(server, port, '127.0.0.1'),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
