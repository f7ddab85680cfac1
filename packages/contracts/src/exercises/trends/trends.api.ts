import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { filter } from '../../core/lists.ts';
import { timestamp } from '../../core/primitives.ts';
import { capability } from '../scenarios/scenario.schemas.ts';
import { INTERVALS, trends } from './trends.schemas.ts';

export const trendsApi = api({
  service: 'exercises',
  tag: 'Trends',
  endpoints: {
    getTrends: endpoint({
      method: 'GET',
      path: '/api/trends/',
      summary: 'Analytics trend data',
      description:
        'Without `from` the last twelve periods. With `capability` scores and slope are that capability’s.',
      role: 'viewer',
      scope: 'dashboard:read',
      query: z.strictObject({
        interval: z.enum(INTERVALS).default('month'),
        from: filter(timestamp),
        to: filter(timestamp),
        capability: filter(capability),
      }),
      responses: { 200: trends },
    }),
  },
});
