import { fileURLToPath } from 'node:url';
import { type EngineName, type Engines, startEngines } from '@muster/devstack';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const VARIABLES = { mongodb: 'MONGODB_URI', rabbitmq: 'AMQP_URL', redis: 'REDIS_URL' } as const;

/** One engine of a test file's own, for tests that stop or change it; the others stay those that all tests share. */
export async function ownEngine(name: EngineName): Promise<Engines> {
  const variable = VARIABLES[name];
  const shared = process.env[variable];
  delete process.env[variable];
  try {
    return await startEngines({ root: ROOT, purpose: 'test', own: true, report: () => undefined });
  } finally {
    process.env[variable] = shared;
  }
}
