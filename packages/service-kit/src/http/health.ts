import type { Messaging } from '@muster/messaging';
import { Router } from 'express';
import type { Connection } from 'mongoose';
import type { Metrics } from '../telemetry/metrics.ts';
import { liveness } from '../watchdog/watchdog.ts';

const PING_MS = 2_000;

export interface Readiness {
  connection: Connection;
  messaging: Messaging;
  metrics: Metrics;
  /** Aborts when the service begins to stop. */
  stopping: AbortSignal;
}

/**
 * `/live` says that the loop turns and checks nothing outside; `/ready` needs the database and says `degraded` when the broker or Redis is away
 * (the outbox absorbs that), but refuses a Redis that would evict jobs; `/metrics` is for Prometheus.
 */
export function healthRoutes(parts: Readiness): Router {
  const router = Router();
  router.get('/live', (_request, response) => {
    response.json(liveness());
  });
  router.get('/ready', async (_request, response) => {
    const { outbox, ...others } = parts.messaging.health();
    const mongo = await mongoStatus(parts.connection);
    const up = !parts.stopping.aborted && mongo.status === 'ok' && others.redis.refused === undefined;
    const degraded = Object.values(others).some((check) => check.status !== 'ok');
    response.status(up ? 200 : 503).json({
      status: up ? (degraded ? 'degraded' : 'ok') : 'unavailable',
      checks: { mongo, ...others, outbox },
    });
  });
  router.get('/metrics', async (_request, response) => {
    response.type(parts.metrics.registry.contentType).send(await parts.metrics.registry.metrics());
  });
  return router;
}

async function mongoStatus(connection: Connection): Promise<{ status: 'ok' | 'degraded'; detail?: string }> {
  try {
    // A signal, since the driver's own `timeoutMS` has no effect any more.
    await connection.db?.command({ ping: 1 }, { signal: AbortSignal.timeout(PING_MS) });
    return { status: 'ok' };
  } catch {
    return { status: 'degraded', detail: 'MongoDB does not answer' };
  }
}
