import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { filter, listOf, page } from '../../core/lists.ts';
import { capability } from '../scenarios/scenario.schemas.ts';
import { GAP_SEVERITIES } from '../scores/scores.schemas.ts';
import { GAP_STATUSES, gapChange, gapSummary, trackedGap } from './gap.schemas.ts';

const params = z.object({ id: z.string().min(1).max(100) });

export const gapsApi = api({
  service: 'exercises',
  tag: 'Gaps',
  endpoints: {
    listGaps: endpoint({
      method: 'GET',
      path: '/api/gaps/',
      summary: 'List the gaps that exercises showed, and whether they are proved closed',
      description:
        'A gap closes only by a later session that reaches P or S on the same capability and control.',
      role: 'viewer',
      scope: 'gaps:read',
      query: z.strictObject({
        ...page,
        status: filter(z.enum(GAP_STATUSES)),
        severity: filter(z.enum(GAP_SEVERITIES)),
        capability: filter(capability),
        control: filter(z.string().min(1).max(40)),
      }),
      responses: { 200: listOf(trackedGap) },
    }),
    summarizeGaps: endpoint({
      method: 'GET',
      path: '/api/gaps/summary/',
      summary: 'How many gaps are open, how long proof takes, how many come back',
      role: 'viewer',
      scope: 'gaps:read',
      responses: { 200: gapSummary },
    }),
    getGap: endpoint({
      method: 'GET',
      path: '/api/gaps/{id}/',
      summary: 'Return one gap with what the sessions found',
      role: 'viewer',
      scope: 'gaps:read',
      params,
      responses: { 200: trackedGap },
    }),
    updateGap: endpoint({
      method: 'PATCH',
      path: '/api/gaps/{id}/',
      summary: 'Say who corrects a gap and how, and when it is tested again',
      role: 'facilitator',
      scope: 'gaps:write',
      params,
      body: gapChange,
      responses: { 200: trackedGap },
    }),
  },
});
