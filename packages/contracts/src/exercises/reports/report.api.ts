import { z } from 'zod';
import { api, endpoint, type MediaType } from '../../core/endpoint.ts';
import { filter } from '../../core/lists.ts';
import { id } from '../../core/primitives.ts';
import { report } from './report.schemas.ts';

/** The forms a report comes in, by what `?format=` calls them. */
export const REPORT_FORMS = {
  json: 'application/json',
  html: 'text/html',
  pdf: 'application/pdf',
} as const satisfies Record<string, MediaType>;
export type ReportForm = keyof typeof REPORT_FORMS;

const forms = Object.keys(REPORT_FORMS) as [ReportForm, ...ReportForm[]];

export const reportsApi = api({
  service: 'exercises',
  tag: 'Reports',
  about: 'After-action reports and improvement plans after HSEEP.',
  endpoints: {
    getReport: endpoint({
      method: 'GET',
      path: '/api/sessions/{id}/report/',
      summary: 'The after-action report and improvement plan of a completed session',
      description:
        'After HSEEP, as JSON, HTML or PDF: by `Accept` or `format`. Before an evaluation it holds numbers only and says so. 409 while the session is in progress.',
      role: 'viewer',
      scope: 'sessions:read',
      params: z.object({ id: id.meta({ description: 'id of the session' }) }),
      query: z.strictObject({
        format: filter(z.enum(forms), 'the form of the answer; goes before `Accept`'),
      }),
      responses: { 200: report },
      renditions: [REPORT_FORMS.html, REPORT_FORMS.pdf],
    }),
  },
});
