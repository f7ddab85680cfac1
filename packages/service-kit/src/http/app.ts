import express, { type Express, type RequestHandler } from 'express';
import { AppError } from '../errors.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { type Dispatch, dispatcher } from './dispatch.ts';
import { healthRoutes, type Readiness } from './health.ts';
import { problemAnswers } from './problems.ts';
import { traced } from './traced.ts';

const MAX_IN_FLIGHT = 500;

/** A service's HTTP side, in the order a request passes through. */
export function createApp(parts: {
  dispatch: Dispatch;
  /** Raises for a Host that this process does not go by. */
  checkHost: (host: string | undefined) => void;
  readiness: Readiness;
  log: Logger;
  metrics: Metrics;
}): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple');
  app.use(traced);
  app.use(named(parts.checkHost));
  app.use(healthRoutes(parts.readiness));
  app.use(measured(parts.metrics));
  app.use(shedding());
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

/** Past a number of requests at once it is kinder to say so than to let all of them wait. */
function shedding(): RequestHandler {
  let inFlight = 0;
  return (_request, response, next) => {
    if (inFlight >= MAX_IN_FLIGHT) {
      throw new AppError('unavailable', 'There is too much to do right now: try again in a moment.', {
        headers: { 'retry-after': '1' },
      });
    }
    inFlight += 1;
    response.once('close', () => {
      inFlight -= 1;
    });
    next();
  };
}
