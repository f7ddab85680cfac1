import type { AuditEntry } from '@muster/contracts';
import { collection, Mixed, nullable, type RowOf, repository, required } from '@muster/service-kit';

/** One change that somebody made; `_id` is that of the event that told it. Entries are added, never changed. */
export const auditCollection = collection({
  name: 'audit_entries',
  fields: {
    at: required(Date),
    service: required(String),
    actor: required<AuditEntry['actor']>(Mixed),
    address: nullable(String),
    action: required(String),
    object: required<AuditEntry['object']>(Mixed),
    before: nullable<AuditEntry['before']>(Mixed),
    after: nullable<AuditEntry['after']>(Mixed),
    request_id: nullable(String),
  },
  indexes: [
    [{ org_id: 1, _id: -1 }],
    [{ org_id: 1, at: -1 }],
    [{ org_id: 1, action: 1, _id: -1 }],
    [{ org_id: 1, 'actor.id': 1, _id: -1 }],
    [{ org_id: 1, 'object.id': 1, _id: -1 }],
  ],
});
export type AuditDoc = RowOf<typeof auditCollection>;

export const auditEntries = repository(auditCollection);

export function toEntry(doc: AuditDoc): AuditEntry {
  const { _id, org_id, at, ...entry } = doc;
  return { id: _id, at: at.toISOString(), ...entry };
}
