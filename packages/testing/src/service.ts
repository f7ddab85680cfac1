import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, type Client, createClient } from '@muster/contracts';
import { testEngines } from '@muster/devstack';
import { type RunningService, type ServiceDefinition, startService } from '@muster/service-kit';
import mongoose from 'mongoose';
import { fetchAsGateway, TEST_SECRET } from './gateway.ts';
import { told, watchTenancy } from './tenancy.ts';
import { type TokenIssuer, tokenIssuer } from './tokens.ts';

/** Tests without a broker go on without it. */
const LISTENS_WITHIN_MS = 5_000;

export interface TestService extends RunningService {
  tokens: TokenIssuer;
  env: Record<string, string>;
  /** As the gateway asks: without a token, development mode acts as the demo organization's owner. */
  fetch: typeof globalThis.fetch;
  /** A typed client that asks as the gateway does; without a token, development mode acts as the demo organization's owner. */
  client<A extends Api>(api: A, token?: string): Client<A>;
}

/**
 * Starts a service in this process on engines of its own (database, virtual host, key prefix), with a local issuer of
 * tokens. `stop` also removes what it made, and raises when the service touched rows of organizations without naming
 * the organization. A test that wants to see all rows opens a connection of its own.
 */
export async function startTestService(
  service: ServiceDefinition,
  variables: Record<string, string> = {},
): Promise<TestService> {
  const engines = await testEngines(service.name);
  const tokens = await tokenIssuer();
  const env = {
    MUSTER_MODE: 'development',
    LOG_LEVEL: 'fatal',
    MONGODB_URI: engines.mongodbUri,
    MONGODB_DB: engines.mongodbDb,
    AMQP_URL: engines.amqpUrl,
    REDIS_URL: engines.redisUrl,
    REDIS_PREFIX: engines.redisPrefix,
    JWKS_URL: tokens.jwksUrl,
    SERVICE_SECRET: TEST_SECRET,
    KEY_ENCRYPTION_KEY: `test:${randomBytes(32).toString('base64')}`,
    ...variables,
  };
  env.MONGODB_URI = told(env.MONGODB_URI);
  const clear = async () => {
    await tokens.stop();
    await engines.cleanup();
  };
  try {
    const { running, tenancy } = await startWatched(service, env);
    await listening(running);
    const fetch = fetchAsGateway(env.SERVICE_SECRET);
    return {
      ...running,
      tokens,
      env,
      fetch,
      client: (api, token) => createClient(api, { baseUrl: running.url, token, fetch }),
      async stop() {
        await running.stop();
        await clear();
        tenancy.check();
      },
    };
  } catch (error) {
    await clear();
    throw error;
  }
}

/** Until its queue is bound, what a test publishes would reach nobody, and nobody would say so. */
async function listening({ runtime }: RunningService): Promise<void> {
  const until = performance.now() + LISTENS_WITHIN_MS;
  while (runtime.messaging.health().amqp.status !== 'ok' && performance.now() < until) await sleep(20);
}

/** A start makes its one connection at once, so it can be watched from its first command on. */
async function startWatched(service: ServiceDefinition, env: Record<string, string>) {
  const others = new Set(mongoose.connections);
  const starting = startService(service, env);
  const made = mongoose.connections.find((connection) => !others.has(connection));
  const tenancy = made && watchTenancy(made);
  const running = await starting;
  if (!tenancy) throw new Error('The connection of the service was not seen when it was made');
  return { running, tenancy };
}
