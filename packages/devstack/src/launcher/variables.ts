import { join } from 'node:path';
import type { Engines } from '../engines/engines.ts';
import { checkoutSecrets } from '../home/secrets.ts';
import { rememberedPorts } from '../ports/ports.ts';
import { musterMode, publicOrigin } from './checkout.ts';
import { type Service, serviceNames } from './service.ts';

/** What the launcher runs: the services, and the gateway before them. */
export interface Product {
  services: Service[];
  gateway: Service;
}

/**
 * Works out what to run on which port with which variables.
 * @param root the checkout
 * @param musterPort port of the gateway
 * @param logins variables of the demo providers, for those who deal with logins
 */
export async function productOf(
  root: string,
  musterPort: number,
  engines: Engines,
  logins: Record<string, string> = {},
): Promise<Product> {
  const names = serviceNames(root);
  const { port } = rememberedPorts(join(root, '.muster', 'service-ports.json'));
  const ports = new Map<string, number>();
  for (const name of names) ports.set(name, await port(name));
  const base = baseVariables(root, musterPort, ports, engines);
  const services = names.map((name) => ({
    name,
    main: join(root, 'services', name, 'src', 'main.ts'),
    port: ports.get(name) ?? 0,
    readyPath: '/ready',
    livePath: '/live',
    env: {
      ...base,
      ...(name === 'identity' && logins),
      SERVICE_PORT: String(ports.get(name)),
      MONGODB_DB: databaseOf(name),
    },
  }));
  const gateway = {
    name: 'gateway',
    main: join(root, 'gateway', 'src', 'main.ts'),
    port: musterPort,
    readyPath: '/health',
    livePath: '/live',
    env: {
      ...gatewayVariables(base),
      ...upstreams(ports),
      SERVICE_PORT: String(musterPort),
    },
  };
  return { services, gateway };
}

function baseVariables(root: string, musterPort: number, ports: Map<string, number>, engines: Engines) {
  const { SERVICE_SECRET, KEY_ENCRYPTION_KEY } = checkoutSecrets(root);
  return {
    MUSTER_MODE: musterMode(),
    SERVICE_HOST: '127.0.0.1',
    MONGODB_URI: engines.mongodbUri,
    AMQP_URL: engines.amqpUrl,
    REDIS_URL: engines.redisUrl,
    JWKS_URL: `http://127.0.0.1:${ports.get('identity') ?? 0}/.well-known/jwks.json`,
    PUBLIC_ORIGIN: publicOrigin(musterPort),
    SERVICE_SECRET,
    KEY_ENCRYPTION_KEY,
  };
}

/** What opens stored credentials, and the way to them, is nothing for whoever faces the network: not from the shell either. */
function gatewayVariables(base: ReturnType<typeof baseVariables>) {
  const { MUSTER_MODE, SERVICE_HOST, REDIS_URL, PUBLIC_ORIGIN, SERVICE_SECRET } = base;
  const withheld = { KEY_ENCRYPTION_KEY: undefined, MONGODB_URI: undefined, AMQP_URL: undefined };
  return { ...withheld, MUSTER_MODE, SERVICE_HOST, REDIS_URL, PUBLIC_ORIGIN, SERVICE_SECRET };
}

function upstreams(ports: Map<string, number>): Record<string, string> {
  const entries = [...ports].map(([name, port]) => [
    `UPSTREAM_${wordOf(name).toUpperCase()}`,
    `http://127.0.0.1:${port}`,
  ]);
  return Object.fromEntries(entries);
}

function databaseOf(service: string): string {
  return `muster_${wordOf(service)}`;
}

function wordOf(service: string): string {
  return service.replaceAll('-', '_');
}
