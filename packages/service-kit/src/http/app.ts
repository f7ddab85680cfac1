import express, { type Express, type RequestHandler } from 'express';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { BeginSpan } from '../telemetry/span.ts';
import { type Dispatch, dispatcher } from './dispatch.ts';
import { healthRoutes, type Readiness } from './health.ts';
import { problemAnswers } from './problems.ts';
import { traced } from './traced.ts';

/** A service's HTTP side, in the order a request passes through. */
export function createApp(parts: {
  dispatch: Dispatch;
  /** Raises for a Host that this process does not go by. */
  checkHost: (host: string | undefined) => void;
  readiness: Readiness;
  log: Logger;
  metrics: Metrics;
  begin: BeginSpan;
}): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple');
  app.use(traced(parts.begin));
  app.use(named(parts.checkHost));
  app.use(healthRoutes(parts.readiness));
  app.use(measured(parts.metrics));
  app.use((_request, response, next) => {
    parts.dispatch.places.enter(response);
    next();
  });
  app.use(dispatcher(parts.dispatch));
  app.use(problemAnswers(parts.log));
  return app;
}

function named(checkHost: (host: string | undefined) => void): RequestHandler {
  return (request, _response, next) => {
    checkHost(request.headers.host);
    next();
  };
}

function measured(metrics: Metrics): RequestHandler {
  return (_request, response, next) => {
    const end = metrics.requests.startTimer();
    response.on('finish', () =>
      end({ endpoint: response.locals.endpoint ?? 'unknown', status: response.statusCode }),
    );
    next();
  };
}
