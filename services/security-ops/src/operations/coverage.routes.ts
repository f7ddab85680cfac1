import type { coverageApi } from '@muster/contracts';
import { type Handlers, ok } from '@muster/service-kit';
import { readCoverage, readCoverageLayer } from './coverage.service.ts';

export const coverageHandlers: Handlers<typeof coverageApi> = {
  getCoverage: async (ctx, { query }) => ok(await readCoverage(ctx, query)),
  getCoverageLayer: async (ctx, { query }) => ok(await readCoverageLayer(ctx, query.domain)),
};
