import { eventMoved, eventsReceived } from '@muster/contracts';
import { reaction } from '@muster/service-kit';
import { eventCounting } from './tally.jobs.ts';

const order = { order: 'organization' } as const;

/** Events that came or moved are counted. */
export const eventReactions = {
  eventsReceived: reaction(eventsReceived, eventCounting.order, { ...order, name: 'events.tally' }),
  eventMoved: reaction(eventMoved, eventCounting.order, order),
};
