import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { filter, listOf, page } from '../../core/lists.ts';
import { id, timestamp } from '../../core/primitives.ts';
import { auditEntry } from './audit.schemas.ts';

export const auditApi = api({
  service: 'identity',
  tag: 'Audit',
  about: 'Who changed what, from where, and how it was before.',
  endpoints: {
    listAudit: endpoint({
      method: 'GET',
      path: '/api/audit/',
      summary: 'List who changed what, from where, and how it was before',
      description:
        'Newest first. Filters narrow it down together; entries say what an object was before and after, without any secret.',
      role: 'admin',
      scope: 'audit:read',
      query: z.strictObject({
        ...page,
        action: filter(z.string().min(1).max(80), 'what was done, such as `member.changed`'),
        actor: filter(z.string().min(1).max(80), 'id of who did it'),
        object: filter(z.string().min(1).max(80), 'id of what was changed'),
        from: filter(timestamp, 'at or after'),
        to: filter(timestamp, 'before'),
      }),
      responses: { 200: listOf(auditEntry) },
    }),
    getAuditEntry: endpoint({
      method: 'GET',
      path: '/api/audit/{id}/',
      summary: 'Return one entry of the audit log',
      description: 'One change with its actor, address, request id and the values before and after.',
      role: 'admin',
      scope: 'audit:read',
      params: z.object({ id: id.meta({ description: 'id of the entry' }) }),
      responses: { 200: auditEntry },
    }),
  },
});
