import { randomBytes } from 'node:crypto';
import { apis, type ServiceName } from '@muster/contracts';
import { gatewayConfig, upstreamVariable } from '../src/config.ts';
import { type Gateway, startGateway } from '../src/gateway.ts';
import { type Identity, startIdentity, startUpstream, type Upstream } from './upstream.ts';

export interface Stand extends Gateway {
  exercises: Upstream;
  identity: Identity;
  /** The stand-in of every service that has endpoints. */
  upstreams: ReadonlyMap<ServiceName, Upstream>;
}

/** A gateway on a free port before stand-ins of all services, with counters of its own. `variables` are as in the environment. */
export async function startStand(
  variables: Record<string, string> = {},
  upstreams: { exercises?: Upstream; identity?: Identity } = {},
): Promise<Stand> {
  const exercises = upstreams.exercises ?? (await startUpstream());
  const identity = upstreams.identity ?? (await startIdentity());
  const standIns = new Map<ServiceName, Upstream>([
    ['exercises', exercises],
    ['identity', identity],
  ]);
  for (const { service } of apis) if (!standIns.has(service)) standIns.set(service, await startUpstream());
  const gateway = await startGateway(
    gatewayConfig({
      MUSTER_MODE: 'development',
      SERVICE_PORT: '0',
      LOG_LEVEL: 'silent',
      SERVICE_SECRET: SECRET,
      REDIS_URL: redisUrl(),
      REDIS_PREFIX: `test-${randomBytes(6).toString('hex')}`,
      ...Object.fromEntries([...standIns].map(([service, { url }]) => [upstreamVariable(service), url])),
      STOP_MS: '2000',
      ...variables,
    }),
  );
  return {
    ...gateway,
    exercises,
    identity,
    upstreams: standIns,
    async stop() {
      await gateway.stop();
      await Promise.all([...standIns.values()].map((upstream) => upstream.stop()));
    },
  };
}

/** The SERVICE_SECRET of a stand. */
export const SECRET = 'only for tests: thirty-two characters';

/** What makes a stand one of production; people reach it at this origin. */
export const PRODUCTION = { MUSTER_MODE: 'production', PUBLIC_ORIGIN: 'https://muster.example.org' };

/** The Redis that the tests share. */
export function redisUrl(): string {
  const url = process.env.REDIS_URL;
  if (!url) throw new Error('Set REDIS_URL to a Redis for tests, such as redis://127.0.0.1:6379');
  return url;
}
