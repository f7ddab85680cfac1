import {
  coverageApi,
  eventsApi,
  operationsApi,
  securityOpsSubscriptions,
  triageApi,
} from '@muster/contracts';
import { aiCollections, defineService, reactionsTo, routes } from '@muster/service-kit';
import { config } from './config.ts';
import { eventReactions } from './events/event.consumers.ts';
import { eventCollection } from './events/event.model.ts';
import { eventHandlers } from './events/event.routes.ts';
import { eventCounting } from './events/tally.jobs.ts';
import { countCollection, tallyCollection } from './events/tally.model.ts';
import { coverageReactions } from './operations/coverage.consumers.ts';
import { coverageCollections } from './operations/coverage.model.ts';
import { coverageHandlers } from './operations/coverage.routes.ts';
import { operationCollection } from './operations/operation.model.ts';
import { operationHandlers } from './operations/operation.routes.ts';
import { eventTriage } from './triage/triage.jobs.ts';
import { triageCollection } from './triage/triage.model.ts';
import { triageHandlers } from './triage/triage.routes.ts';

/** Security events and their triage, purple-team operations, and what they prove of ATT&CK. */
export const securityOps = defineService({
  name: 'security-ops',
  config,
  collections: [
    eventCollection,
    tallyCollection,
    countCollection,
    triageCollection,
    operationCollection,
    ...coverageCollections,
    ...aiCollections,
  ],
  routes: [
    routes(eventsApi, eventHandlers),
    routes(triageApi, triageHandlers),
    routes(operationsApi, operationHandlers),
    routes(coverageApi, coverageHandlers),
  ],
  reactions: reactionsTo(securityOpsSubscriptions, {
    sessionCompleted: [coverageReactions.sessionCompleted],
    operationCompleted: [coverageReactions.operationCompleted],
    operationRemoved: [coverageReactions.operationRemoved],
    intelItemIngested: [coverageReactions.intelItemIngested],
    intelItemRemoved: [coverageReactions.intelItemRemoved],
    eventsReceived: [coverageReactions.eventsReceived, eventReactions.eventsReceived],
    eventMoved: [eventReactions.eventMoved],
  }),
  work: [eventTriage, eventCounting],
});
