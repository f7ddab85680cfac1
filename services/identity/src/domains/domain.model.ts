import type { DomainClaim } from '@muster/contracts';
import {
  collection,
  nullable,
  optional,
  type RowOf,
  repository,
  required,
  SHARED_ORG,
  type Store,
} from '@muster/service-kit';
import { advice, recordOf, stateOf } from './domain.rules.ts';

/** That an organization says that people with an address of a domain are its own, and whether that is proven. */
export const domainCollection = collection({
  name: 'email_domains',
  fields: {
    /** In lower case. */
    domain: required(String),
    organization_id: required(String),
    claimed_at: required(Date),
    /** What the DNS record must hold. */
    token: required(String),
    proven_at: optional(Date),
    missing_since: nullable(Date),
    checked_at: nullable(Date),
  },
  indexes: [
    [{ org_id: 1, organization_id: 1 }],
    // Many may claim a domain; one has proven it.
    [
      { org_id: 1, domain: 1 },
      { unique: true, partialFilterExpression: { proven_at: { $exists: true } } },
    ],
  ],
});
export type DomainDoc = RowOf<typeof domainCollection>;

const ofOrganization = repository(domainCollection);

/** The claimed domains. They are looked at before an organization is known, so they are kept under {@link SHARED_ORG}. */
export const domains = ({ store }: { store: Store }) =>
  ofOrganization({ store: { ...store, org: SHARED_ORG } });

export function toDomainClaim(doc: DomainDoc): DomainClaim {
  const time = (at: Date | null | undefined) => at?.toISOString() ?? null;
  return {
    domain: doc.domain,
    state: stateOf(doc),
    record: recordOf(doc.domain, doc.token),
    proven_at: time(doc.proven_at),
    missing_since: time(doc.missing_since),
    checked_at: time(doc.checked_at),
    detail: advice(doc),
  };
}
