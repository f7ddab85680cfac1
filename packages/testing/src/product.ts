import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { apis, type ServiceName } from '@muster/contracts';
import {
  freePort,
  type Supervised,
  supervisedService,
  type TestEngines,
  testEngines,
} from '@muster/devstack';
import { fetchAsGateway } from './gateway.ts';
import { providerVariables, startProvider, type TestProvider } from './provider.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Every service that has endpoints. */
const SERVICES: readonly ServiceName[] = [...new Set(apis.map(({ service }) => service))];
export type ProductPart = ServiceName | 'gateway';

export interface Product {
  /** The gateway's address. */
  url: string;
  engines: TestEngines;
  /** Kills a part with SIGKILL; it is started again as under `npm start`. Resolves when it is dead, false if it was. */
  kill(part: ProductPart): Promise<boolean>;
  /** Resolves when a part answers. */
  ready(part: ProductPart): Promise<void>;
  /** A part's own address, past the gateway. */
  addressOf(part: ProductPart): string;
  /** Asks a service at its own address as the gateway does. */
  fetch: typeof globalThis.fetch;
  /** What a part wrote since it was started last. */
  logOf(part: ProductPart): string;
  stop(): Promise<void>;
}

export interface ProductWithProviders extends Product {
  /** The providers behind provider-a and provider-b, which know the demo people. */
  providers: { a: TestProvider; b: TestProvider };
}

/**
 * Starts the services and the gateway as processes of their own, as in production, on engines of their own.
 * @param variables laid over every part's environment
 * @param options with `providers`, two OpenID providers too, and the demo people as members; `report` receives a line
 *   whenever a part ended or is back
 */
export async function startProduct(
  name: string,
  variables: Record<string, string> | undefined,
  options: { providers: true },
): Promise<ProductWithProviders>;
export async function startProduct(
  name: string,
  variables?: Record<string, string>,
  options?: { report?: (line: string) => void },
): Promise<Product>;
export async function startProduct(
  name: string,
  variables: Record<string, string> = {},
  { providers = false, report = (_line: string): void => undefined } = {},
): Promise<Product | ProductWithProviders> {
  const gatewayPort = await freePort();
  if (!providers) return await startParts(name, gatewayPort, variables, report);
  const origin = variables.PUBLIC_ORIGIN ?? `http://127.0.0.1:${gatewayPort}`;
  const [a, b] = await Promise.all([startLogin('a', origin), startLogin('b', origin)]);
  const logins = { ...providerVariables('A', a), ...providerVariables('B', b) };
  const all = { DEMO_PEOPLE: '1', ...logins, ...variables };
  const product = await startParts(name, gatewayPort, all, report);
  return {
    ...product,
    providers: { a, b },
    async stop() {
      await product.stop();
      await Promise.all([a.stop(), b.stop()]);
    },
  };
}

function startLogin(letter: 'a' | 'b', origin: string): Promise<TestProvider> {
  return startProvider({
    name: `Test provider ${letter.toUpperCase()}`,
    redirectUris: [`${origin}/auth/provider-${letter}/callback`],
    postLogoutRedirectUris: [`${origin}/`],
  });
}

async function startParts(
  name: string,
  gatewayPort: number,
  variables: Record<string, string>,
  report: (line: string) => void,
): Promise<Product> {
  const engines = await testEngines(name);
  const ports = Object.fromEntries([
    ['gateway', gatewayPort],
    ...(await Promise.all(SERVICES.map(async (part) => [part, await freePort()] as const))),
  ]) as Record<ProductPart, number>;
  const addressOf = (part: ProductPart) => `http://127.0.0.1:${ports[part]}`;
  const shared: Record<string, string> = {
    MUSTER_MODE: 'development',
    LOG_LEVEL: 'warn',
    MONGODB_URI: variables.MONGODB_URI ?? engines.mongodbUri,
    AMQP_URL: variables.AMQP_URL ?? engines.amqpUrl,
    REDIS_URL: engines.redisUrl,
    REDIS_PREFIX: engines.redisPrefix,
    JWKS_URL: `${addressOf('identity')}/.well-known/jwks.json`,
    SERVICE_SECRET: randomBytes(32).toString('base64url'),
    KEY_ENCRYPTION_KEY: `test:${randomBytes(32).toString('base64')}`,
    PUBLIC_ORIGIN: addressOf('gateway'),
    ...Object.fromEntries(SERVICES.map((service) => [upstreamOf(service), addressOf(service)])),
    ...variables,
  };
  const logDir = `${ROOT}.muster/log/${engines.mongodbDb}`;
  const names: ProductPart[] = [...SERVICES, 'gateway'];
  const parts = new Map(names.map((name) => [name, supervised(name)]));
  const partOf = (name: ProductPart) => parts.get(name) as Supervised;

  function supervised(name: ProductPart): Supervised {
    const isGateway = name === 'gateway';
    const part = {
      name,
      main: `${ROOT}${isGateway ? 'gateway' : `services/${name}`}/src/main.ts`,
      port: ports[name],
      readyPath: isGateway ? '/health' : '/ready',
      livePath: '/live',
      env: { ...shared, SERVICE_PORT: String(ports[name]), MONGODB_DB: `${engines.mongodbDb}_${name}` },
    };
    return supervisedService(part, ROOT, logDir, report);
  }

  await Promise.all([...parts.values()].map((part) => part.start()));
  return {
    url: addressOf('gateway'),
    engines,
    addressOf,
    fetch: fetchAsGateway(shared.SERVICE_SECRET),
    async kill(name) {
      const ran = partOf(name).running;
      partOf(name).kill();
      while (partOf(name).running) await sleep(5);
      return ran;
    },
    async ready(name) {
      while (!partOf(name).running) await sleep(50);
    },
    logOf: (name) => readFileSync(`${logDir}/${name}.log`, 'utf8'),
    async stop() {
      for (const name of names.toReversed()) await partOf(name).stop();
      await engines.cleanup();
    },
  };
}

/** The gateway's variable for where a service listens. */
const upstreamOf = (service: ServiceName) => `UPSTREAM_${service.toUpperCase().replaceAll('-', '_')}`;
