import type { DomainClaim } from '@muster/contracts';
import { collection, repository, SHARED_ORG, type Store, type Stored } from '@muster/service-kit';
import { advice, type Proof, recordOf, stateOf } from './domain.rules.ts';

/** That an organization says that people with an address of a domain are its own, and whether that is proven. */
export interface DomainDoc extends Stored, Proof {
  /** In lower case. */
  domain: string;
  organization_id: string;
  claimed_at: Date;
  /** What the DNS record must hold. */
  token: string;
}

export const domainCollection = collection<DomainDoc>({
  name: 'email_domains',
  fields: {
    domain: { type: String, required: true },
    organization_id: { type: String, required: true },
    claimed_at: { type: Date, required: true },
    token: { type: String, required: true },
    proven_at: { type: Date },
    missing_since: { type: Date, default: null },
    checked_at: { type: Date, default: null },
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
