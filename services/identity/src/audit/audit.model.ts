import type { AuditEntry } from '@muster/contracts';
import { collection, list, Mixed, nullable, type RowOf, repository, required } from '@muster/service-kit';

/** Two years. */
const RETENTION_S = 730 * 86_400;

/** One command or change of somebody's; `_id` is that of the event that told it. Entries are added, never changed. */
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
    command: nullable(String),
    result: required<AuditEntry['result']>(String),
    status: nullable(Number),
    problem: nullable(String),
    times: required(Number),
    /** What `q` finds it by. */
    words: list(String),
  },
  indexes: [
    [{ org_id: 1, _id: -1 }],
    [{ org_id: 1, at: -1 }],
    [{ org_id: 1, action: 1, _id: -1 }],
    [{ org_id: 1, 'actor.id': 1, _id: -1 }],
    [{ org_id: 1, 'object.id': 1, _id: -1 }],
    [{ org_id: 1, service: 1, _id: -1 }],
    [{ org_id: 1, result: 1, _id: -1 }],
    [{ org_id: 1, words: 1, _id: -1 }],
    [{ at: 1 }, { expireAfterSeconds: RETENTION_S }],
  ],
});
export type AuditDoc = RowOf<typeof auditCollection>;

export const auditEntries = repository(auditCollection);

export function toEntry(doc: AuditDoc): AuditEntry {
  const { _id, org_id, at, words, ...entry } = doc;
  return { id: _id, at: at.toISOString(), ...DEFAULTS, ...entry };
}

/** Of entries from before commands were told. */
const DEFAULTS = { command: null, result: 'done', status: null, problem: null, times: 1 } as const;
