import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { filter, listOf, page } from '../../core/lists.ts';
import { scenarioFilename, technique } from '../../core/primitives.ts';
import {
  CATEGORIES,
  DIFFICULTIES,
  SOURCES,
  scenario,
  scenarioSummary,
  scenarioUpload,
} from './scenario.schemas.ts';

const params = z.object({ filename: scenarioFilename });

export const scenariosApi = api({
  service: 'exercises',
  tag: 'Scenarios',
  endpoints: {
    listScenarios: endpoint({
      method: 'GET',
      path: '/api/list-scenarios/',
      summary: 'List available scenario files',
      role: 'viewer',
      scope: 'scenarios:read',
      query: z.strictObject({
        ...page,
        category: z.enum(CATEGORIES).optional(),
        difficulty: z.enum(DIFFICULTIES).optional(),
        industry: z.string().min(1).max(60).optional(),
        technique: filter(technique),
        source: z.enum(SOURCES).optional(),
        q: z.string().trim().min(1).max(200).optional(),
      }),
      responses: { 200: listOf(scenarioSummary) },
    }),
    getScenario: endpoint({
      method: 'GET',
      path: '/{filename}',
      summary: 'Return the full scenario JSON',
      role: 'viewer',
      scope: 'scenarios:read',
      params,
      responses: { 200: scenario },
    }),
    getListedScenario: endpoint({
      method: 'GET',
      path: '/api/list-scenarios/{filename}/',
      summary: 'Return one listed scenario, whole',
      role: 'viewer',
      scope: 'scenarios:read',
      params,
      responses: { 200: scenario },
    }),
    createScenario: endpoint({
      method: 'POST',
      path: '/api/scenarios/',
      summary: 'Create or upload a new scenario',
      description:
        'Takes JSON, YAML, or a form with a `file`. Fields that the server sets are ignored; `filename` defaults to a slug of the title.',
      role: 'facilitator',
      scope: 'scenarios:write',
      body: scenarioUpload,
      accepts: ['application/json', 'application/yaml', 'multipart/form-data'],
      maxBytes: 5 * 1024 * 1024,
      responses: { 201: scenario },
    }),
    deleteScenario: endpoint({
      method: 'DELETE',
      path: '/api/scenarios/{filename}',
      summary: 'Delete a user-uploaded scenario',
      description: 'Built-in scenarios stay (403); past sessions keep their own copy.',
      role: 'facilitator',
      scope: 'scenarios:write',
      params,
      responses: { 204: null },
    }),
  },
});
