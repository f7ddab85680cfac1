import { randomBytes } from 'node:crypto';
import { gatewayConfig } from '../src/config.ts';
import { type Gateway, startGateway } from '../src/gateway.ts';
import { startUpstream, type Upstream } from './upstream.ts';

export interface Stand extends Gateway {
  exercises: Upstream;
  identity: Upstream;
}

/** A gateway on a free port before two stand-ins, with counters of its own. `variables` are as in the environment. */
export async function startStand(
  variables: Record<string, string> = {},
  upstreams: { exercises?: Upstream; identity?: Upstream } = {},
): Promise<Stand> {
  const exercises = upstreams.exercises ?? (await startUpstream());
  const identity = upstreams.identity ?? (await startUpstream());
  const gateway = await startGateway(
    gatewayConfig({
      MUSTER_MODE: 'development',
      SERVICE_PORT: '0',
      LOG_LEVEL: 'silent',
      REDIS_URL: redisUrl(),
      REDIS_PREFIX: `test-${randomBytes(6).toString('hex')}`,
      UPSTREAM_EXERCISES: exercises.url,
      UPSTREAM_IDENTITY: identity.url,
      STOP_MS: '2000',
      ...variables,
    }),
  );
  return {
    ...gateway,
    exercises,
    identity,
    async stop() {
      await gateway.stop();
      await Promise.all([exercises.stop(), identity.stop()]);
    },
  };
}

/** The Redis that the tests share. */
export function redisUrl(): string {
  const url = process.env.REDIS_URL;
  if (!url) throw new Error('Set REDIS_URL to a Redis for tests, such as redis://127.0.0.1:6379');
  return url;
}
