import type { dashboardApi } from '@muster/contracts';
import { type Handlers, ok, queued } from '@muster/service-kit';
import { dashboardRebuild } from './dashboard.jobs.ts';
import { readDashboard } from './dashboard.service.ts';

export const dashboardHandlers: Handlers<typeof dashboardApi> = {
  getDashboard: async (ctx, { query }) => ok(await readDashboard(ctx, query.days)),
  rebuildDashboard: async (ctx) => queued(await ctx.enqueue(dashboardRebuild, {})),
};
