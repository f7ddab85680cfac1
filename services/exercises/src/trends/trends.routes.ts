import type { trendsApi } from '@muster/contracts';
import { type Handlers, ok } from '@muster/service-kit';
import { readTrends } from './trends.service.ts';

export const trendsHandlers: Handlers<typeof trendsApi> = {
  getTrends: async (ctx, { query }) => ok(await readTrends(ctx, query)),
};
