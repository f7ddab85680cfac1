import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { filter } from '../../core/lists.ts';
import { LAYER_DOMAINS, navigatorLayer } from '../layers/layer.schemas.ts';
import { COVERAGE_STATES, coverage } from './coverage.schemas.ts';

export const coverageApi = api({
  service: 'security-ops',
  tag: 'Coverage',
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
        state: filter(z.enum(COVERAGE_STATES)),
        domain: filter(z.enum(LAYER_DOMAINS)),
      }),
      responses: { 200: coverage },
    }),
    getCoverageLayer: endpoint({
      method: 'GET',
      path: '/api/operations/coverage-layer/',
      summary: 'Return the same as one layer for the ATT&CK Navigator 4.5',
      role: 'viewer',
      scope: 'operations:read',
      query: z.strictObject({ domain: z.enum(LAYER_DOMAINS).default('enterprise') }),
      responses: { 200: navigatorLayer },
    }),
  },
});
