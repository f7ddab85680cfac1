import type { OrganizationProfile } from '@muster/contracts';
import { collection, Mixed, repository, type Stored } from '@muster/service-kit';

/** This service's copy of an organization's profile; `_id` is the organization's. */
export interface ProfileDoc extends Stored {
  version: number;
  profile: OrganizationProfile;
}

export const profileCollection = collection<ProfileDoc>({
  name: 'organization_profiles',
  fields: { version: { type: Number, required: true }, profile: { type: Mixed, required: true } },
  indexes: [],
});

export const profiles = repository(profileCollection);
