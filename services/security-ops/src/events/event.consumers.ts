import { eventsReceived } from '@muster/contracts';
import { type Reaction, reaction } from '@muster/service-kit';
import { sumUp } from './tally.service.ts';

/** Keeps the counts of an organization's events few. */
export const eventReactions: readonly Reaction[] = [
  reaction(eventsReceived, sumUp, { name: 'events.tally', order: 'organization' }),
];
