import { z } from 'zod';

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
