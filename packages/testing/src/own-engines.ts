import { fileURLToPath } from 'node:url';
import { type EngineName, type Engines, startEngines } from '@muster/devstack';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const VARIABLES = { mongodb: 'MONGODB_URI', rabbitmq: 'AMQP_URL', redis: 'REDIS_URL' } as const;

/** Engines of a test file's own, for tests that stop or change them; the others stay those that all tests share. */
export async function ownEngines(...names: EngineName[]): Promise<Engines> {
  const shared = names.map((name) => [VARIABLES[name], process.env[VARIABLES[name]]] as const);
  for (const [variable] of shared) delete process.env[variable];
  try {
    return await startEngines({ root: ROOT, purpose: 'test', own: true, report: () => undefined });
  } finally {
    for (const [variable, value] of shared) if (value !== undefined) process.env[variable] = value;
  }
}
