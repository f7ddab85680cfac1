import { work } from '@muster/service-kit';
import { z } from 'zod';
import { checkDomains } from './check.service.ts';

const TIMEOUT_MS = 10 * 60_000;

/** Looks for the DNS records of an organization's domains. */
export const domainCheck = work({
  kind: 'check-domains',
  timeoutMs: TIMEOUT_MS,
  payload: z.strictObject({}),
  run: async (ctx) => {
    await checkDomains(ctx);
    return { href: '/api/settings/' };
  },
});
