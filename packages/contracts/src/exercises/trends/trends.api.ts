import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { filter } from '../../core/lists.ts';
import { timestamp } from '../../core/primitives.ts';
import { capability } from '../scenarios/scenario.schemas.ts';
import { INTERVALS, trends } from './trends.schemas.ts';

export const trendsApi = api({
  service: 'exercises',
  tag: 'Trends',
  about: 'Scores over weeks, months and quarters.',
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
        interval: z.enum(INTERVALS).default('month').meta({ description: 'length of a period' }),
        from: filter(timestamp, 'first period: the one that holds this time'),
        to: filter(timestamp, 'last period'),
        capability: filter(capability, 'scores and slope of this one alone'),
      }),
      responses: { 200: trends },
    }),
  },
});
