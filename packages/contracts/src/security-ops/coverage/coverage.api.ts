import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { filter } from '../../core/lists.ts';
import { LAYER_DOMAINS, navigatorLayer } from '../layers/layer.schemas.ts';
import { COVERAGE_STATES, coverage } from './coverage.schemas.ts';

export const coverageApi = api({
  service: 'security-ops',
  tag: 'Coverage',
  about: 'How far ATT&CK techniques were exercised, detected and seen.',
  endpoints: {
    getCoverage: endpoint({
      method: 'GET',
      path: '/api/operations/coverage/',
      summary: 'Which techniques were talked through, proved, seen and wanted',
      description:
        'One row for each technique of which anything is known, the most pressing first; all of them at once.',
      role: 'viewer',
      scope: 'operations:read',
      query: z.strictObject({
        state: filter(z.enum(COVERAGE_STATES), 'how far a technique is proved'),
        domain: filter(z.enum(LAYER_DOMAINS), 'the ATT&CK matrix'),
      }),
      responses: { 200: coverage },
    }),
    getCoverageLayer: endpoint({
      method: 'GET',
      path: '/api/operations/coverage-layer/',
      summary: 'Return the same as one layer for the ATT&CK Navigator 4.5',
      description:
        'Colours and scores by state; import it in the Navigator to see the matrix, or lay it over another layer.',
      role: 'viewer',
      scope: 'operations:read',
      query: z.strictObject({
        domain: z.enum(LAYER_DOMAINS).default('enterprise').meta({ description: 'the ATT&CK matrix' }),
      }),
      responses: { 200: navigatorLayer },
    }),
  },
});
