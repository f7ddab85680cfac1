import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { job } from '../../core/job.ts';
import { filter, listOf, page } from '../../core/lists.ts';
import { id } from '../../core/primitives.ts';
import { scenarioDraft, scenarioWish } from './draft.schemas.ts';

const params = z.object({ id: id.meta({ description: 'id of the draft' }) });

export const draftsApi = api({
  service: 'intel',
  tag: 'Scenario drafts',
  about: 'Scenarios written from threat intelligence.',
  endpoints: {
    generateScenario: endpoint({
      method: 'POST',
      path: '/api/threat-intel/{id}/generate-scenario/',
      summary: 'Write a scenario from an item, fitted to the organization',
      description:
        "Every technique in it comes from the item; systems, roles and duties come from the organization's profile, and without one it stays neutral. It is checked as an upload is, then stands in the list of scenarios within a moment, with `source: intel`.",
      role: 'facilitator',
      scope: 'intel:write',
      params,
      body: scenarioWish,
      delivery: 'queue',
      responses: { 201: scenarioDraft, 202: job },
    }),
    listDrafts: endpoint({
      method: 'GET',
      path: '/api/threat-intel-drafts/',
      summary: 'List the scenarios that were written from threat intelligence',
      description:
        'Newest first, each with the item it was written from and the filename under which it stands in the list of scenarios.',
      role: 'viewer',
      scope: 'intel:read',
      query: z.strictObject({ ...page, item_id: filter(id, 'written from this item') }),
      responses: { 200: listOf(scenarioDraft) },
    }),
    getDraft: endpoint({
      method: 'GET',
      path: '/api/threat-intel-drafts/{id}/',
      summary: 'Return one scenario that was written from threat intelligence',
      description:
        "The request, the engine that wrote it, and the scenario's filename, or the reason why it was not taken in.",
      role: 'viewer',
      scope: 'intel:read',
      params,
      responses: { 200: scenarioDraft },
    }),
  },
});
