import { type Ctx, work } from '@muster/service-kit';
import { z } from 'zod';
import { settleGaps } from './settling.service.ts';

/** Opens, closes and opens again an organization's gaps by the sessions that have come. Running it twice is harmless. */
export const gapSettling = work({
  kind: 'gap-settling',
  payload: z.strictObject({}),
  run: async (ctx: Ctx) => {
    await settleGaps(ctx);
    return null;
  },
});
