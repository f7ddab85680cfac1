import type { auditApi } from '@muster/contracts';
import { type Handlers, ok, rendition } from '@muster/service-kit';
import { toEntry } from './audit.model.ts';
import { exportAudit, findEntry, listAudit } from './audit.service.ts';

export const auditHandlers: Handlers<typeof auditApi> = {
  listAudit: async (ctx, { query }) => ok(await listAudit(ctx, query)),
  exportAudit: async (ctx, { query }) =>
    rendition('application/x-ndjson', exportAudit(ctx, query), { filename: 'audit.ndjson' }),
  getAuditEntry: async (ctx, { params }) => ok(toEntry(await findEntry(ctx, params.id))),
};
