import { subscriptions } from '../core/subscriptions.ts';
import { sessionCompleted } from '../exercises/sessions/session.events.ts';
import { intelItemIngested, intelItemRemoved } from '../intel/items/item.events.ts';
import { eventMoved, eventsReceived } from './events/event.events.ts';
import { operationCompleted, operationRemoved } from './operations/operation.events.ts';

export const securityOpsSubscriptions = subscriptions('security-ops', {
  sessionCompleted,
  operationCompleted,
  operationRemoved,
  intelItemIngested,
  intelItemRemoved,
  eventsReceived,
  eventMoved,
});
