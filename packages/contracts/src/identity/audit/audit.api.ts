import { z } from 'zod';
import { api, endpoint, SERVICES } from '../../core/endpoint.ts';
import { filter, listOf, page } from '../../core/lists.ts';
import { id, timestamp } from '../../core/primitives.ts';
import { CHANGE_RESULTS } from '../../platform/changes/change.schemas.ts';
import { auditEntry } from './audit.schemas.ts';

const word = z.string().min(1).max(80);
const filters = {
  action: filter(word, 'what was done, such as `member.role_changed`'),
  actor: filter(word, 'id of who did it'),
  service: filter(z.enum(SERVICES), 'where it was done'),
  object: filter(word, 'id of what was changed'),
  result: filter(z.enum(CHANGE_RESULTS), 'whether it came about'),
  from: filter(timestamp, 'at or after'),
  to: filter(timestamp, 'before'),
  q: filter(z.string().trim().min(1).max(200), 'whole words of names, ids, actions and addresses'),
};

export const auditApi = api({
  service: 'identity',
  tag: 'Audit',
  about: 'Who changed what, from where, and how it was before.',
  endpoints: {
    listAudit: endpoint({
      method: 'GET',
      path: '/api/audit/',
      summary: 'List who did what, from where, how it was before, and who was refused what',
      description:
        'Newest first: every command of a person or a token in any service, for two years; what was only read is not in it. Filters narrow it down together; entries never hold a secret.',
      role: 'admin',
      scope: 'audit:read',
      query: z.strictObject({ ...page, ...filters }),
      responses: { 200: listOf(auditEntry) },
    }),
    exportAudit: endpoint({
      method: 'GET',
      path: '/api/audit/export/',
      summary: 'Return the audit log as NDJSON, one entry a line, newest first',
      description: 'The whole log, or what the filters leave of it, as a stream.',
      role: 'admin',
      scope: 'audit:read',
      query: z.strictObject(filters),
      produces: 'application/x-ndjson',
      responses: {
        200: z.string().meta({ example: '{"id":"…","at":"…","service":"identity","action":"…"}' }),
      },
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
