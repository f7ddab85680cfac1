import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { filter, listOf, page } from '../../core/lists.ts';
import { capability } from '../scenarios/scenario.schemas.ts';
import { GAP_SEVERITIES } from '../scores/scores.schemas.ts';
import { GAP_STATUSES, gapChange, gapSummary, trackedGap } from './gap.schemas.ts';

const params = z.object({ id: z.string().min(1).max(100).meta({ description: 'id of the gap' }) });

export const gapsApi = api({
  service: 'exercises',
  tag: 'Gaps',
  about: 'What exercises showed to be missing, followed until a later exercise proves it closed.',
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
        status: filter(z.enum(GAP_STATUSES), 'open, or proved closed'),
        severity: filter(z.enum(GAP_SEVERITIES), 'of the gap'),
        capability: filter(capability, 'the capability that it lies in'),
        control: filter(z.string().min(1).max(40), 'a control that it belongs to, such as `RS.MI-01`'),
      }),
      responses: { 200: listOf(trackedGap) },
    }),
    summarizeGaps: endpoint({
      method: 'GET',
      path: '/api/gaps/summary/',
      summary: 'How many gaps are open, how long proof takes, how many come back',
      description:
        "Counts by status and severity, the mean days from a gap's first showing to its proof, and the share of closed gaps that showed again.",
      role: 'viewer',
      scope: 'gaps:read',
      responses: { 200: gapSummary },
    }),
    getGap: endpoint({
      method: 'GET',
      path: '/api/gaps/{id}/',
      summary: 'Return one gap with what the sessions found',
      description:
        'Every finding with its session and inject, who corrects it and by when, and the session that proved it closed.',
      role: 'viewer',
      scope: 'gaps:read',
      params,
      responses: { 200: trackedGap },
    }),
    updateGap: endpoint({
      method: 'PATCH',
      path: '/api/gaps/{id}/',
      summary: 'Say who corrects a gap and how, and when it is tested again',
      description:
        "Owner, correction and the date of the next test are people's own words; whether a gap is closed is not: that follows from the sessions alone. What is left out stays, null empties a field.",
      role: 'facilitator',
      scope: 'gaps:write',
      params,
      body: gapChange,
      responses: { 200: trackedGap },
    }),
  },
});
