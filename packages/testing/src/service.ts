import { type Api, type Client, createClient } from '@muster/contracts';
import { testEngines } from '@muster/devstack';
import {
  type BaseConfig,
  type RunningService,
  type ServiceDefinition,
  startService,
} from '@muster/service-kit';
import { type TokenIssuer, tokenIssuer } from './tokens.ts';

export interface TestService<Config> extends RunningService<Config> {
  tokens: TokenIssuer;
  env: Record<string, string>;
  /** A typed client; without a token, development mode acts as the demo organization's owner. */
  client<A extends Api>(api: A, token?: string): Client<A>;
}

/**
 * Starts a service in this process on engines of its own (database, virtual host, key prefix), with a local issuer of
 * tokens. `stop` also removes what it made.
 */
export async function startTestService<Config extends BaseConfig>(
  service: ServiceDefinition<Config>,
  variables: Record<string, string> = {},
): Promise<TestService<Config>> {
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
    SERVICE_SECRET: 'only for tests: thirty-two characters',
    ...variables,
  };
  const running = await startService(service, env);
  return {
    ...running,
    tokens,
    env,
    client: (api, token) => createClient(api, { baseUrl: running.url, token }),
    async stop() {
      await running.stop();
      await tokens.stop();
      await engines.cleanup();
    },
  };
}
