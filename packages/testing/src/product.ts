import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type Child, freePort, spawnChild, type TestEngines, testEngines, whenReady } from '@muster/devstack';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SERVICES = ['exercises', 'identity'] as const;
const READY_MS = 40_000;
const LINES_KEPT = 200;
export type ProductPart = (typeof SERVICES)[number] | 'gateway';

export interface Product {
  /** The gateway's address. */
  url: string;
  engines: TestEngines;
  /** Kills a part with SIGKILL; it stays dead until {@link start}. */
  kill(part: ProductPart): Promise<void>;
  start(part: ProductPart): Promise<void>;
  /** A part's own address, past the gateway. */
  addressOf(part: ProductPart): string;
  /** The last lines a part wrote. */
  logOf(part: ProductPart): string;
  stop(): Promise<void>;
}

/**
 * Starts the services and the gateway as processes of their own, as in production, on engines of their own.
 * @param variables laid over every part's environment
 */
export async function startProduct(name: string, variables: Record<string, string> = {}): Promise<Product> {
  const engines = await testEngines(name);
  const ports = Object.fromEntries(
    await Promise.all([...SERVICES, 'gateway'].map(async (part) => [part, await freePort()] as const)),
  ) as Record<ProductPart, number>;
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
    UPSTREAM_EXERCISES: addressOf('exercises'),
    UPSTREAM_IDENTITY: addressOf('identity'),
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

async function answers(address: string): Promise<void> {
  const answer = await fetch(address, { signal: AbortSignal.timeout(2_000) });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}`);
}
