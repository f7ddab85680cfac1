import { eventMoved, eventsReceived } from '@muster/contracts';
import { type Reaction, reaction } from '@muster/service-kit';
import { eventCounting } from './tally.jobs.ts';

const order = { order: 'organization' } as const;

/** Events that came or moved are counted. */
export const eventReactions: readonly Reaction[] = [
  reaction(eventsReceived, eventCounting.order, { ...order, name: 'events.tally' }),
  reaction(eventMoved, eventCounting.order, order),
];
