import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type TestEngines, testEngines } from '@muster/devstack';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SERVICES = ['exercises', 'identity'] as const;
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
  const running = new Map<ProductPart, { child: ChildProcess; log: string[] }>();

  async function start(part: ProductPart): Promise<void> {
    const folder = part === 'gateway' ? 'gateway' : `services/${part}`;
    const env = {
      ...process.env,
      ...shared,
      SERVICE_PORT: String(ports[part]),
      MONGODB_DB: `${engines.mongodbDb}_${part}`,
    };
    const child = spawn(process.execPath, ['src/main.ts'], {
      cwd: `${ROOT}${folder}`,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log: string[] = [];
    for (const output of [child.stdout, child.stderr]) {
      output.on('data', (chunk: Buffer) => {
        log.push(chunk.toString());
        if (log.length > 200) log.shift();
      });
    }
    running.set(part, { child, log });
    await ready(`${addressOf(part)}${part === 'gateway' ? '/health' : '/ready'}`, child, () => log.join(''));
  }

  async function end(part: ProductPart, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = running.get(part)?.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }

  const parts: ProductPart[] = [...SERVICES, 'gateway'];
  await Promise.all(parts.map(start));
  return {
    url: addressOf('gateway'),
    engines,
    addressOf,
    start,
    kill: (part) => end(part, 'SIGKILL'),
    logOf: (part) => running.get(part)?.log.join('') ?? '',
    async stop() {
      for (const part of parts.toReversed()) await end(part, 'SIGTERM');
      await engines.cleanup();
    },
  };
}

const READY_MS = 40_000;

async function ready(address: string, child: ChildProcess, log: () => string): Promise<void> {
  for (const until = Date.now() + READY_MS; Date.now() < until; ) {
    if (child.exitCode !== null) throw new Error(`It ended at once:\n${log()}`);
    const answer = await fetch(address, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${address} was not ready in ${READY_MS} ms:\n${log()}`);
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
