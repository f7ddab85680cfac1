import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { job } from '../../core/job.ts';
import { queryInteger } from '../../core/primitives.ts';
import { dashboard } from './dashboard.schemas.ts';

export const dashboardApi = api({
  service: 'exercises',
  tag: 'Dashboard',
  endpoints: {
    getDashboard: endpoint({
      method: 'GET',
      path: '/api/dashboard/',
      summary: 'Dashboard summary (scores, counts, trends)',
      role: 'viewer',
      scope: 'dashboard:read',
      query: z.strictObject({ days: queryInteger(1, 730).default(90) }),
      responses: { 200: dashboard },
    }),
    rebuildDashboard: endpoint({
      method: 'POST',
      path: '/api/dashboard/rebuild/',
      summary: 'Drop the dashboard projection and rebuild it from the stored state',
      role: 'admin',
      scope: 'dashboard:write',
      delivery: 'queue',
      responses: { 200: dashboard, 202: job },
    }),
  },
});
