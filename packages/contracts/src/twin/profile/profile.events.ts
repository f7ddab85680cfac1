import { defineEvent } from '../../core/event.ts';
import { organizationProfile } from './profile.schemas.ts';

export const profileUpdated = defineEvent({
  type: 'twin.profile.updated.v1',
  source: 'twin',
  summary: "An organization's profile was written or changed; `seq` is its version.",
  aggregate: 'profile',
  data: organizationProfile,
  example: organizationProfile.meta()?.example,
});
