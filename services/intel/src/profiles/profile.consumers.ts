import { profileUpdated } from '@muster/contracts';
import { reaction } from '@muster/service-kit';
import { keepProfile } from './profile.service.ts';

/** What the twin knows of the organization is kept here for whom a scenario is written. */
export const profileReactions = { profileUpdated: reaction(profileUpdated, keepProfile) };
