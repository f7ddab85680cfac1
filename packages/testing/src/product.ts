import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { apis, type ServiceName } from '@muster/contracts';
import { type Child, freePort, spawnChild, type TestEngines, testEngines, whenReady } from '@muster/devstack';
import { fetchAsGateway } from './gateway.ts';
import { providerVariables, startProvider, type TestProvider } from './provider.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Every service that has endpoints. */
const SERVICES: readonly ServiceName[] = [...new Set(apis.map(({ service }) => service))];
const READY_MS = 40_000;
const LINES_KEPT = 200;
export type ProductPart = ServiceName | 'gateway';

export interface Product {
  /** The gateway's address. */
  url: string;
  engines: TestEngines;
  /** Kills a part with SIGKILL; it stays dead until {@link start}. */
  kill(part: ProductPart): Promise<void>;
  start(part: ProductPart): Promise<void>;
  /** A part's own address, past the gateway. */
  addressOf(part: ProductPart): string;
  /** Asks a service at its own address as the gateway does. */
  fetch: typeof globalThis.fetch;
  /** The last lines a part wrote. */
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
 * @param options with `providers`, two OpenID providers too, and the demo people as members
 */
export async function startProduct(
  name: string,
  variables: Record<string, string> | undefined,
  options: { providers: true },
): Promise<ProductWithProviders>;
export async function startProduct(name: string, variables?: Record<string, string>): Promise<Product>;
export async function startProduct(
  name: string,
  variables: Record<string, string> = {},
  { providers = false } = {},
): Promise<Product | ProductWithProviders> {
  const gatewayPort = await freePort();
  if (!providers) return await startParts(name, gatewayPort, variables);
  const origin = variables.PUBLIC_ORIGIN ?? `http://127.0.0.1:${gatewayPort}`;
  const [a, b] = await Promise.all([startLogin('a', origin), startLogin('b', origin)]);
  const product = await startParts(name, gatewayPort, {
    DEMO_PEOPLE: '1',
    ...providerVariables('A', a),
    ...providerVariables('B', b),
    ...variables,
  });
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
  const running = new Map<ProductPart, { child: Child; log: string[] }>();

  async function start(part: ProductPart): Promise<void> {
    const folder = part === 'gateway' ? 'gateway' : `services/${part}`;
    const logFile = `${ROOT}.muster/log/${engines.mongodbDb}-${part}.log`;
    const log: string[] = [];
    const child = spawnChild({
      name: part,
      command: process.execPath,
      args: ['src/main.ts'],
      cwd: `${ROOT}${folder}`,
      env: {
        ...process.env,
        ...shared,
        SERVICE_PORT: String(ports[part]),
        MONGODB_DB: `${engines.mongodbDb}_${part}`,
      },
      logFile,
      onLine(line) {
        log.push(line);
        if (log.length > LINES_KEPT) log.shift();
      },
    });
    running.set(part, { child, log });
    const address = `${addressOf(part)}${part === 'gateway' ? '/health' : '/ready'}`;
    await whenReady(child, () => answers(address), READY_MS, logFile);
  }

  const parts: ProductPart[] = [...SERVICES, 'gateway'];
  await Promise.all(parts.map(start));
  return {
    url: addressOf('gateway'),
    engines,
    addressOf,
    fetch: fetchAsGateway(shared.SERVICE_SECRET),
    start,
    async kill(part) {
      running.get(part)?.child.kill();
      await running.get(part)?.child.exited;
    },
    logOf: (part) => running.get(part)?.log.join('\n') ?? '',
    async stop() {
      for (const part of parts.toReversed()) await running.get(part)?.child.stop();
      await engines.cleanup();
    },
  };
}

/** The gateway's variable for where a service listens. */
const upstreamOf = (service: ServiceName) => `UPSTREAM_${service.toUpperCase().replaceAll('-', '_')}`;

async function answers(address: string): Promise<void> {
  const answer = await fetch(address, { signal: AbortSignal.timeout(2_000) });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}`);
}
