import type { ServiceName } from '@muster/contracts';
import { z } from 'zod';
import type { GatewayConfig } from '../config.ts';

const ASK_MS = 2_000;

/** How a part of the deployment is. */
export const partHealth = z.object({
  status: z.enum(['ok', 'degraded', 'unavailable']),
  detail: z.string().optional(),
});
export type PartHealth = z.output<typeof partHealth>;

/** What a service answers at `/ready`, with 200 or 503. */
const ready = z.object({
  status: z.enum(['ok', 'degraded', 'unavailable']),
  checks: z
    .record(
      z.string(),
      z.object({ status: z.string(), detail: z.string().optional() }).catch({ status: 'ok' }),
    )
    .default({}),
});

/** Asks a service how it is, for two seconds at most. Never raises: silence is `unavailable`. */
export async function askReadiness(url: string): Promise<PartHealth> {
  try {
    const answer = await fetch(new URL('/ready', url), {
      redirect: 'error',
      signal: AbortSignal.timeout(ASK_MS),
    });
    const { status, checks } = ready.parse(await answer.json());
    const detail = Object.entries(checks)
      .filter(([, check]) => check.status !== 'ok')
      .map(([name, check]) => `${name}: ${check.detail ?? check.status}`)
      .join('; ');
    return { status, ...(detail !== '' && { detail }) };
  } catch {
    return { status: 'unavailable', detail: 'does not answer' };
  }
}

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
