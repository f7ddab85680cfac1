import { readFileSync } from 'node:fs';
import {
  createLog,
  createMetrics,
  type Logger,
  openTelemetry,
  problemAnswers,
  refuseRemoteDevelopment,
  traced,
} from '@muster/service-kit';
import express, { type Express, type RequestHandler } from 'express';
import type { GatewayConfig } from './config.ts';
import { ownAnswers, ownEndpoints } from './documents/own.ts';
import { knownHost, plainHeaders } from './edge/host.ts';
import { failures, live, observed, serveMetrics } from './edge/observed.ts';
import { endRefusal } from './edge/refused.ts';
import { crossOrigin, securityHeaders } from './edge/security.ts';
import { serveEdge } from './edge/server.ts';
import { createHealth } from './health/health.ts';
import { connectRedis, createCounters } from './limits/counters.ts';
import { loginLimit, rateLimits, refusalLimit } from './limits/limits.ts';
import { located } from './routing/routes.ts';
import { sameSiteOnly, sessions } from './sessions/session.ts';
import { sessionTokens } from './sessions/tokens.ts';
import { createAgents } from './upstreams/agents.ts';
import { createBreaker } from './upstreams/breaker.ts';
import { createForwarder, dispatcher } from './upstreams/dispatch.ts';

export interface Gateway {
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  url: string;
  /** Where the metrics are, if a port was given for them. */
  metricsUrl: string | undefined;
  stop(): Promise<void>;
}

/** Starts the edge of the product. Raises one line when it cannot: a port in use, development mode in the open. */
export async function startGateway(config: GatewayConfig): Promise<Gateway> {
  refuseRemoteDevelopment(config);
  const version = ownVersion();
  const log = createLog('gateway', config.LOG_LEVEL);
  const metrics = createMetrics('gateway');
  const telemetry = await openTelemetry(
    { service: 'gateway', metrics, log },
    config.OTEL_EXPORTER_OTLP_ENDPOINT,
  );
  const agents = createAgents(config.CONNECT_PATIENCE_MS);
  const upstreams = new Map(
    [...config.upstreams].map(([service, url]) => [
      service,
      { url: new URL(url), breaker: createBreaker(service, config.BREAKER_OPEN_MS) },
    ]),
  );
  const identity = upstreams.get('identity');
  if (!identity) throw new Error('the gateway needs to know where identity is: set UPSTREAM_IDENTITY');
  warnOfSharedAddress(config, log);
  const redis = await connectRedis(config.REDIS_URL, log);
  const health = createHealth({ version, mode: config.MUSTER_MODE }, config.upstreams, () =>
    redis.status === 'ready' ? { status: 'ok' } : { status: 'degraded', detail: 'redis: not reachable' },
  );
  const own = ownAnswers({ version, serverUrl: config.PUBLIC_ORIGIN ?? '/' }, health);
  const counters = createCounters(redis, config.REDIS_PREFIX);

  const app = createEdge(config.TRUSTED_PROXIES, [
    live,
    traced(telemetry.begin),
    observed(log, metrics),
    securityHeaders(config.PUBLIC_ORIGIN?.startsWith('https:') ?? false),
    crossOrigin(config.CORS_ORIGINS),
    rateLimits(config.rates, counters),
    plainHeaders,
    knownHost(config),
    ownEndpoints(own),
    located,
    loginLimit(config.rates, counters),
    sameSiteOnly(config),
    refusalLimit(config.rates, counters),
    sessions(sessionTokens(identity, config.CONNECT_PATIENCE_MS)),
    dispatcher(upstreams, createForwarder(agents), config),
  ]).use(failures(log), problemAnswers(log, endRefusal));
  const server = await serveEdge(app, config).catch((error) => {
    redis.disconnect();
    throw error;
  });
  const metricsServer =
    config.METRICS_PORT === undefined ? undefined : await serveMetrics(metrics, config.METRICS_PORT);
  log.info({ url: server.url, mode: config.MUSTER_MODE, services: [...upstreams.keys()] }, 'gateway is up');

  return {
    url: server.url,
    metricsUrl: metricsServer?.url,
    async stop() {
      await metricsServer?.stop();
      await server.stop(config.STOP_MS);
      agents.destroy();
      redis.disconnect();
      await telemetry.stop();
      log.info('gateway has stopped');
    },
  };
}

/** Over https there is a proxy: unless it is trusted to tell them apart, all callers share its limits. */
function warnOfSharedAddress(config: GatewayConfig, log: Logger): void {
  if (config.MUSTER_MODE !== 'production' || config.TRUSTED_PROXIES.length > 0) return;
  log.warn('TRUSTED_PROXIES is empty: everybody behind the proxy counts as one address, also to sign in');
}

/** Express as a chain of steps: no routes of its own, since those would decode the path. */
function createEdge(trustedProxies: string[], steps: RequestHandler[]): Express {
  const app = express();
  app
    .disable('x-powered-by')
    .disable('etag')
    .set('query parser', 'simple')
    .set('trust proxy', trustedProxies);
  return app.use(inTurn(steps));
}

/** One step of many, each of which is taken when the one before calls `next`: Express's own loop costs far more. */
function inTurn(steps: readonly RequestHandler[]): RequestHandler {
  return (request, response, done) => {
    function take(at: number): void {
      const step = steps[at];
      if (!step) {
        done();
        return;
      }
      const taken: unknown = step(request, response, (error?: unknown) =>
        error === undefined ? take(at + 1) : done(error),
      );
      if (taken instanceof Promise) taken.catch(done);
    }
    take(0);
  };
}

function ownVersion(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}
