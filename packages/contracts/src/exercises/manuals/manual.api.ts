import { z } from 'zod';
import { api, endpoint, type MediaType } from '../../core/endpoint.ts';
import { filter } from '../../core/lists.ts';
import { scenarioFilename } from '../../core/primitives.ts';
import { scenario } from '../scenarios/scenario.schemas.ts';
import { exercisePackage, exercisePackageUpload } from './manual.schemas.ts';

/** The forms a situation manual comes in, by what `?format=` calls them. */
export const MANUAL_FORMS = {
  html: 'text/html',
  pdf: 'application/pdf',
} as const satisfies Record<string, MediaType>;

export type ManualForm = keyof typeof MANUAL_FORMS;

const params = z.object({ filename: scenarioFilename.meta({ description: 'filename of the scenario' }) });

const forms = Object.keys(MANUAL_FORMS) as [ManualForm, ...ManualForm[]];

export const manualsApi = api({
  service: 'exercises',
  tag: 'Exercise documents',
  about: 'Situation manuals to hand out, and whole exercises as files that travel.',
  endpoints: {
    getManual: endpoint({
      method: 'GET',
      path: '/api/scenarios/{filename}/manual/',
      summary: 'The situation manual for players, as HTML or PDF',
      description:
        'Without facilitator notes, expected actions, keywords and contingency injects: it can be handed out.',
      role: 'viewer',
      scope: 'scenarios:read',
      params,
      query: z.strictObject({ format: filter(z.enum(forms), 'HTML or PDF; goes before `Accept`') }),
      produces: 'text/html',
      renditions: ['application/pdf'],
      responses: { 200: z.string().meta({ example: '<!doctype html><title>Situation manual</title>' }) },
    }),
    getPackage: endpoint({
      method: 'GET',
      path: '/api/scenarios/{filename}/package/',
      summary: 'The whole exercise as one file with a content hash',
      description:
        'The scenario with everything that belongs to it, ready for `POST /api/scenarios/import/` of another organization. The hash lets the reader see that nothing was changed on the way.',
      role: 'facilitator',
      scope: 'scenarios:read',
      params,
      responses: { 200: exercisePackage },
    }),
    importPackage: endpoint({
      method: 'POST',
      path: '/api/scenarios/import/',
      summary: 'Import an exercise package',
      description:
        'JSON, or a form with a `file`. 422 when it was changed after its export, 409 when the filename is taken: `filename` stores it under another.',
      role: 'facilitator',
      scope: 'scenarios:write',
      query: z.strictObject({ filename: filter(scenarioFilename, 'store it under this name') }),
      body: exercisePackageUpload,
      accepts: ['application/json', 'multipart/form-data'],
      maxBytes: 5 * 1024 * 1024,
      responses: { 201: scenario },
    }),
  },
});
