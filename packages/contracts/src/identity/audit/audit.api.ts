import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { filter, listOf, page } from '../../core/lists.ts';
import { id, timestamp } from '../../core/primitives.ts';
import { auditEntry } from './audit.schemas.ts';

export const auditApi = api({
  service: 'identity',
  tag: 'Audit',
  endpoints: {
    listAudit: endpoint({
      method: 'GET',
      path: '/api/audit/',
      summary: 'List who changed what, from where, and how it was before',
      role: 'admin',
      scope: 'audit:read',
      query: z.strictObject({
        ...page,
        action: filter(z.string().min(1).max(80)),
        actor: filter(z.string().min(1).max(80)),
        object: filter(z.string().min(1).max(80).meta({ description: 'the id of what was changed' })),
        from: filter(timestamp),
        to: filter(timestamp),
      }),
      responses: { 200: listOf(auditEntry) },
    }),
    getAuditEntry: endpoint({
      method: 'GET',
      path: '/api/audit/{id}/',
      summary: 'Return one entry of the audit log',
      role: 'admin',
      scope: 'audit:read',
      params: z.object({ id }),
      responses: { 200: auditEntry },
    }),
  },
});
