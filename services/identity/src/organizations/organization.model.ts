import { collection, repository, SHARED_ORG, type Store, type Stored } from '@muster/service-kit';

/** An organization owns itself: `org_id` is its `_id`. */
export interface OrganizationDoc extends Stored {
  name: string;
  created_at: Date;
  /** Raised by whoever stops being an owner, so that of two at once one waits for the other. */
  owner_changes?: number;
}

export const organizationCollection = collection<OrganizationDoc>({
  name: 'organizations',
  fields: {
    name: { type: String, required: true },
    created_at: { type: Date, required: true },
    owner_changes: { type: Number },
  },
  indexes: [],
});

export const organizations = repository(organizationCollection);

/** That an organization is there; `_id` is its id. For what concerns them all, such as the first start. */
export interface RegistrationDoc extends Stored {
  registered_at: Date;
}

export const registrationCollection = collection<RegistrationDoc>({
  name: 'registrations',
  fields: { registered_at: { type: Date, required: true } },
  indexes: [[{ org_id: 1, _id: 1 }]],
});

const ofOrganization = repository(registrationCollection);

/** The organizations that are there. Nobody's, so they are kept under {@link SHARED_ORG}, whoever asks. */
export const registrations = ({ store }: { store: Store }) =>
  ofOrganization({ store: { ...store, org: SHARED_ORG } });
