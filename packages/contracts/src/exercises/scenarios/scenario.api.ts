import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { filter, listOf, page } from '../../core/lists.ts';
import { scenarioFilename, technique, text } from '../../core/primitives.ts';
import {
  CATEGORIES,
  DIFFICULTIES,
  SOURCES,
  scenario,
  scenarioSummary,
  scenarioUpload,
} from './scenario.schemas.ts';

const params = z.object({ filename: scenarioFilename.meta({ description: 'filename of the scenario' }) });

export const scenariosApi = api({
  service: 'exercises',
  tag: 'Scenarios',
  about: 'The library of scenarios: built in, uploaded, or written from threat intelligence.',
  endpoints: {
    listScenarios: endpoint({
      method: 'GET',
      path: '/api/list-scenarios/',
      summary: 'List available scenario files',
      description:
        'Built-in, uploaded and generated ones together, newest first, each with what helps to choose: length, difficulty, objectives, techniques. Filters narrow it down together.',
      role: 'viewer',
      scope: 'scenarios:read',
      query: z.strictObject({
        ...page,
        category: filter(z.enum(CATEGORIES), 'kind of incident'),
        difficulty: filter(z.enum(DIFFICULTIES), 'for whom it is meant'),
        industry: filter(z.string().min(1).max(60), 'written for this industry'),
        technique: filter(technique, 'an ATT&CK technique that its threat or an inject uses'),
        source: filter(z.enum(SOURCES), 'its origin'),
        q: filter(text(200), 'words of title and summary'),
      }),
      responses: { 200: listOf(scenarioSummary) },
    }),
    getScenario: endpoint({
      method: 'GET',
      path: '/{filename}',
      summary: 'Return the full scenario JSON',
      description:
        'Everything a facilitator needs to run it: roles, objectives, injects with their expected actions. 404 for whatever is not the name of a stored scenario.',
      role: 'viewer',
      scope: 'scenarios:read',
      params,
      responses: { 200: scenario },
    }),
    getListedScenario: endpoint({
      method: 'GET',
      path: '/api/list-scenarios/{filename}/',
      summary: 'Return one listed scenario, whole',
      description: 'The same scenario as under its plain filename, at the address of its list.',
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
