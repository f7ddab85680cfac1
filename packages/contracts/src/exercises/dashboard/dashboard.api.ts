import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { job } from '../../core/job.ts';
import { queryInteger } from '../../core/primitives.ts';
import { dashboard } from './dashboard.schemas.ts';

export const dashboardApi = api({
  service: 'exercises',
  tag: 'Dashboard',
  about: 'The figures over time, from projections that follow every session within seconds.',
  endpoints: {
    getDashboard: endpoint({
      method: 'GET',
      path: '/api/dashboard/',
      summary: 'Dashboard summary (scores, counts, trends)',
      description:
        'Read from a projection that follows the saved sessions within seconds: scores with their change against the window before, counts, trends, the latest sessions and the gravest open gaps. `as_of` says how fresh it is.',
      role: 'viewer',
      scope: 'dashboard:read',
      query: z.strictObject({
        days: queryInteger(1, 730).default(90).meta({ description: 'the window, up to today' }),
      }),
      responses: { 200: dashboard },
    }),
    rebuildDashboard: endpoint({
      method: 'POST',
      path: '/api/dashboard/rebuild/',
      summary: 'Drop the dashboard projection and rebuild it from the stored state',
      description:
        'For operators, after a repair: the owners of what the dashboard counts tell it again into a new projection, while the old one goes on answering until the new one is whole.',
      role: 'admin',
      scope: 'dashboard:write',
      delivery: 'queue',
      responses: { 200: dashboard, 202: job },
    }),
  },
});
