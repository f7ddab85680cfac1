import type { ServiceName } from '@muster/contracts';
import { z } from 'zod';
import type { GatewayConfig } from '../config.ts';
import { askReadiness, type PartHealth, partHealth } from './readiness.ts';

const CACHE_MS = 1_000;

/** What `/health` answers. `services` has an entry for each deployed service, and one for the gateway itself. */
export const health = z.object({
  status: z.enum(['ok', 'degraded']),
  version: z.string(),
  mode: z.enum(['development', 'production']),
  services: z.record(z.string(), partHealth),
});
export type Health = z.output<typeof health>;

/**
 * Makes the function that says how the deployment is: every service is asked at once, and not more often than
 * once a second however many ask.
 * @param ownHealth how the gateway itself is
 */
export function createHealth(
  about: { version: string; mode: GatewayConfig['MUSTER_MODE'] },
  upstreams: ReadonlyMap<ServiceName, string>,
  ownHealth: () => PartHealth,
): () => Promise<Health> {
  let latest: Promise<Health> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;

  async function ask(): Promise<Health> {
    const answers = await Promise.all(
      [...upstreams].map(async ([service, url]) => [service, await askReadiness(url)] as const),
    );
    const services = { ...Object.fromEntries(answers), gateway: ownHealth() };
    const allOk = Object.values(services).every(({ status }) => status === 'ok');
    return { status: allOk ? 'ok' : 'degraded', ...about, services };
  }

  return () => {
    if (latest === undefined || performance.now() - askedAt >= CACHE_MS) {
      askedAt = performance.now();
      latest = ask();
    }
    return latest;
  };
}
