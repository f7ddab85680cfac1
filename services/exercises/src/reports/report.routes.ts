import { REPORT_FORMS, type reportsApi } from '@muster/contracts';
import { formOf, type Handlers, ok } from '@muster/service-kit';
import { reportDocument } from './document.texts.ts';
import { documentReply, withVary } from './rendering.service.ts';
import { readReport } from './report.service.ts';

export const reportHandlers: Handlers<typeof reportsApi> = {
  getReport: async (ctx, { params, query: { format }, caller }) => {
    const form = formOf(REPORT_FORMS, { format, accept: caller.accept });
    const report = await readReport(ctx, params.id);
    if (form === 'json') return withVary(ok(report));
    const date = new Date(report.evaluation?.created_at ?? report.overview.ended_at);
    return await documentReply(reportDocument(report), form, {
      name: `after-action-report-${params.id}`,
      date,
    });
  },
};
