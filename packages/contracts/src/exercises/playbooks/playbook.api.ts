import { z } from 'zod';
import { api, endpoint, type MediaType } from '../../core/endpoint.ts';
import { job } from '../../core/job.ts';
import { filter, listOf, page } from '../../core/lists.ts';
import { id, queryInteger } from '../../core/primitives.ts';
import { playbook, playbookSummary } from './playbook.schemas.ts';

/** The forms a playbook comes in, by what `?format=` calls them. */
export const PLAYBOOK_FORMS = {
  json: 'application/json',
  cacao: 'application/cacao+json',
  markdown: 'text/markdown',
  html: 'text/html',
  pdf: 'application/pdf',
} as const satisfies Record<string, MediaType>;

export type PlaybookForm = keyof typeof PLAYBOOK_FORMS;

const params = z.object({ session_id: id.meta({ description: 'id of the session' }) });

const forms = Object.keys(PLAYBOOK_FORMS) as [PlaybookForm, ...PlaybookForm[]];

export const playbooksApi = api({
  service: 'exercises',
  tag: 'Playbooks',
  about: 'Response playbooks made from played sessions, in CACAO 2.0 and other forms.',
  endpoints: {
    listPlaybooks: endpoint({
      method: 'GET',
      path: '/api/playbooks/',
      summary: 'List the current playbooks, one for each session that has one',
      description:
        'The newest version of each, newest first, with how many of its steps were performed, late, missed or never exercised.',
      role: 'viewer',
      scope: 'playbooks:read',
      query: z.strictObject(page),
      responses: { 200: listOf(playbookSummary) },
    }),
    generatePlaybook: endpoint({
      method: 'POST',
      path: '/api/playbooks/generate/{session_id}',
      summary: 'Generate a playbook from a completed session',
      description:
        'Made from the scenario, what the table did, its gaps and the evaluation, if there is one. A new generation is a new version that says what changed. 409 while the session is in progress.',
      role: 'facilitator',
      scope: 'playbooks:write',
      params,
      delivery: 'queue',
      responses: { 201: playbook, 202: job },
    }),
    getPlaybook: endpoint({
      method: 'GET',
      path: '/api/playbooks/{session_id}',
      summary: 'Return the playbook of a session',
      description: 'As JSON, CACAO 2.0, Markdown, HTML or PDF: by `Accept` or `format`.',
      role: 'viewer',
      scope: 'playbooks:read',
      params,
      query: z.strictObject({
        format: filter(z.enum(forms), 'the form of the answer; goes before `Accept`'),
        version: filter(queryInteger(1, 1_000_000), 'the latest unless given'),
      }),
      responses: { 200: playbook },
      renditions: [PLAYBOOK_FORMS.cacao, PLAYBOOK_FORMS.markdown, PLAYBOOK_FORMS.html, PLAYBOOK_FORMS.pdf],
    }),
  },
});
