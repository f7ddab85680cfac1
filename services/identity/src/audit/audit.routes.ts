import type { auditApi } from '@muster/contracts';
import { type Handlers, ok } from '@muster/service-kit';
import { toEntry } from './audit.model.ts';
import { findEntry, listAudit } from './audit.service.ts';

export const auditHandlers: Handlers<typeof auditApi> = {
  listAudit: async (ctx, { query }) => ok(await listAudit(ctx, query)),
  getAuditEntry: async (ctx, { params }) => ok(toEntry(await findEntry(ctx, params.id))),
};
