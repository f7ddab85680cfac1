import type { AuditEntry } from '@muster/contracts';
import { collection, Mixed, repository, type Stored } from '@muster/service-kit';

/** One change that somebody made; `_id` is that of the event that told it. Entries are added, never changed. */
export interface AuditDoc extends Stored, Omit<AuditEntry, 'id' | 'at'> {
  at: Date;
}

const required = <T>(type: T) => ({ type, required: true });

export const auditCollection = collection<AuditDoc>({
  name: 'audit_entries',
  fields: {
    at: required(Date),
    service: required(String),
    actor: required(Mixed),
    address: { type: String, default: null },
    action: required(String),
    object: required(Mixed),
    before: { type: Mixed, default: null },
    after: { type: Mixed, default: null },
    request_id: { type: String, default: null },
  },
  indexes: [
    [{ org_id: 1, _id: -1 }],
    [{ org_id: 1, at: -1 }],
    [{ org_id: 1, action: 1, _id: -1 }],
    [{ org_id: 1, 'actor.id': 1, _id: -1 }],
    [{ org_id: 1, 'object.id': 1, _id: -1 }],
  ],
});

export const auditEntries = repository(auditCollection);

export function toEntry(doc: AuditDoc): AuditEntry {
  const { _id, org_id, at, ...entry } = doc;
  return { id: _id, at: at.toISOString(), ...entry };
}
