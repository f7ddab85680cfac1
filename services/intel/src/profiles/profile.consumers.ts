import { profileUpdated } from '@muster/contracts';
import { type Reaction, reaction } from '@muster/service-kit';
import { keepProfile } from './profile.service.ts';

/** What the twin knows of the organization is kept here for whom a scenario is written. */
export const profileReactions: readonly Reaction[] = [reaction(profileUpdated, keepProfile)];
