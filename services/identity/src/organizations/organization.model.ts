import {
  collection,
  optional,
  type RowOf,
  repository,
  required,
  SHARED_ORG,
  type Store,
} from '@muster/service-kit';

/** An organization owns itself: `org_id` is its `_id`. */
export const organizationCollection = collection({
  name: 'organizations',
  fields: {
    name: required(String),
    created_at: required(Date),
    /** Raised by whoever stops being an owner, so that of two at once one waits for the other. */
    owner_changes: optional(Number),
  },
  indexes: [],
});
export type OrganizationDoc = RowOf<typeof organizationCollection>;

export const organizations = repository(organizationCollection);

/** That an organization is there; `_id` is its id. For what concerns them all, such as the first start. */
export const registrationCollection = collection({
  name: 'registrations',
  fields: {
    registered_at: required(Date),
  },
  indexes: [[{ org_id: 1, _id: 1 }]],
});
export type RegistrationDoc = RowOf<typeof registrationCollection>;

const ofOrganization = repository(registrationCollection);

/** The organizations that are there. Nobody's, so they are kept under {@link SHARED_ORG}, whoever asks. */
export const registrations = ({ store }: { store: Store }) =>
  ofOrganization({ store: { ...store, org: SHARED_ORG } });
