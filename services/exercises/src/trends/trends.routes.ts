import type { trendsApi } from '@muster/contracts';
import { type Handlers, ok } from '@muster/service-kit';
import type { Config } from '../config.ts';
import { readTrends } from './trends.service.ts';

export const trendsHandlers: Handlers<typeof trendsApi, Config> = {
  getTrends: async (ctx, { query }) => ok(await readTrends(ctx, query)),
};
