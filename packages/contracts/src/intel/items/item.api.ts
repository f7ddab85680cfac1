import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { job } from '../../core/job.ts';
import { filter, listOf, page } from '../../core/lists.ts';
import { id, technique, text, timestamp } from '../../core/primitives.ts';
import {
  INTEL_FORMATS,
  ingestInput,
  intelItem,
  intelItemDetail,
  intelPatch,
  intelSeverity,
  stixBundle,
} from './item.schemas.ts';

const params = z.object({ id: id.meta({ description: 'id of the item' }) });
const filters = {
  q: filter(text(200), 'words, names, ids or indicators that all stand in the item'),
  technique: filter(technique, 'with its sub-techniques'),
  actor: filter(text(120), 'by any of its names'),
  severity: filter(intelSeverity, 'as extracted or corrected'),
  format: filter(z.enum(INTEL_FORMATS), 'what the source was read as'),
  from: filter(timestamp, 'published, or else ingested, at or after'),
  to: filter(timestamp, 'published, or else ingested, before'),
};

export const intelItemsApi = api({
  service: 'intel',
  tag: 'Threat intelligence',
  about: 'Reports and indicators with the evidence for whatever was extracted from them.',
  endpoints: {
    ingestIntel: endpoint({
      method: 'POST',
      path: '/api/threat-intel/ingest/',
      summary: 'Read a source or a document, and keep what it says of threats',
      description:
        'Understands HTML articles, RSS and Atom, STIX 2.1 bundles, TAXII 2.1 collections, MISP events and feed manifests, the CISA KEV catalogue and plain text. 201 with the new item, 200 where it was known already, its new content included. A feed with several entries answers the newest; the others stand in `related`. 422 `url-not-allowed` for what is not a public https address; 502 when the source cannot be reached or fails.',
      role: 'facilitator',
      scope: 'intel:write',
      body: ingestInput,
      delivery: 'queue',
      responses: { 200: intelItemDetail, 201: intelItemDetail, 202: job },
    }),
    listIntel: endpoint({
      method: 'GET',
      path: '/api/threat-intel/',
      summary: 'List threat intelligence',
      description:
        'Newest first, without the source texts. Filters narrow it down together; `technique` finds sub-techniques too.',
      role: 'viewer',
      scope: 'intel:read',
      query: z.strictObject({ ...page, ...filters }),
      responses: { 200: listOf(intelItem) },
    }),
    exportIntel: endpoint({
      method: 'GET',
      path: '/api/threat-intel/stix/',
      summary: 'Export threat intelligence as one STIX 2.1 bundle',
      description:
        'What the filters fit, up to a thousand items, as reports, indicators, attack patterns, malware and threat actors with ids that stay the same from one export to the next.',
      role: 'viewer',
      scope: 'intel:read',
      query: z.strictObject(filters),
      produces: 'application/stix+json',
      responses: { 200: stixBundle },
    }),
    getIntel: endpoint({
      method: 'GET',
      path: '/api/threat-intel/{id}/',
      summary: 'Return one item, with its source text and where each find stands in it',
      description:
        'Each technique, actor and indicator carries the sentence that it was found in, with its place in the stored text, so that a reader can check it.',
      role: 'viewer',
      scope: 'intel:read',
      params,
      responses: { 200: intelItemDetail },
    }),
    exportIntelItem: endpoint({
      method: 'GET',
      path: '/api/threat-intel/{id}/stix/',
      summary: 'Export one item as a STIX 2.1 bundle',
      description:
        'A report with what was extracted from it. Ids stay the same from one export to the next, so that a platform that reads it again updates instead of doubling.',
      role: 'viewer',
      scope: 'intel:read',
      params,
      produces: 'application/stix+json',
      responses: { 200: stixBundle },
    }),
    correctIntel: endpoint({
      method: 'PATCH',
      path: '/api/threat-intel/{id}/',
      summary: 'Correct what was extracted',
      description: 'Corrections stay when the source is read again.',
      role: 'facilitator',
      scope: 'intel:write',
      params,
      body: intelPatch,
      responses: { 200: intelItemDetail },
    }),
    removeIntel: endpoint({
      method: 'DELETE',
      path: '/api/threat-intel/{id}/',
      summary: 'Remove an item with its text',
      description:
        'The item, its source text and its finds. Scenarios that were written from it stay. Read again, the source brings it back as new.',
      role: 'facilitator',
      scope: 'intel:write',
      params,
      responses: { 204: null },
    }),
  },
});
