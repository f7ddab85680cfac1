import { collection, repository, SHARED_ORG, type Store, type Stored } from '@muster/service-kit';

/** That people with an address of this domain belong to an organization; `_id` is the domain, in lower case. */
export interface DomainDoc extends Stored {
  organization_id: string;
  claimed_at: Date;
}

export const domainCollection = collection<DomainDoc>({
  name: 'email_domains',
  fields: {
    organization_id: { type: String, required: true },
    claimed_at: { type: Date, required: true },
  },
  indexes: [[{ org_id: 1, organization_id: 1 }]],
});

const ofOrganization = repository(domainCollection);

/** The claimed domains. They are looked at before an organization is known, so they are kept under {@link SHARED_ORG}. */
export const domains = ({ store }: { store: Store }) =>
  ofOrganization({ store: { ...store, org: SHARED_ORG } });
