import type { OrganizationProfile } from '@muster/contracts';
import { collection, Mixed, type RowOf, repository, required } from '@muster/service-kit';

/** This service's copy of an organization's profile; `_id` is the organization's. */
export const profileCollection = collection({
  name: 'organization_profiles',
  fields: {
    version: required(Number),
    profile: required<OrganizationProfile>(Mixed),
  },
  indexes: [],
});
export type ProfileDoc = RowOf<typeof profileCollection>;

export const profiles = repository(profileCollection);
