import type { Api, ServiceName } from './core/endpoint.ts';
import type { EventDeclaration } from './core/event.ts';
import { dashboardApi } from './exercises/dashboard.api.ts';
import * as exercisesEvents from './exercises/events.ts';
import { scenariosApi } from './exercises/scenario.api.ts';
import { sessionsApi } from './exercises/session.api.ts';
import { identityApi } from './identity/api.ts';
import * as identityEvents from './identity/events.ts';

/** Every endpoint of the product but the jobs, which each service answers for itself. */
export const apis: readonly Api[] = [scenariosApi, sessionsApi, dashboardApi, identityApi];

/** Every domain event of the product. */
export const events: readonly EventDeclaration[] = [
  ...Object.values(exercisesEvents),
  ...Object.values(identityEvents),
];

/** The declaration of an event type, or undefined for one this version does not know. */
export function eventOf(type: string): EventDeclaration | undefined {
  return events.find((declared) => declared.type === type);
}

const { scenarioPublished, scenarioRemoved, sessionSaved, sessionCompleted, replayRequested } =
  exercisesEvents;
const { memberChanged, tokenRevoked } = identityEvents;

/**
 * Who reacts to what: every publisher declares every queue and binding from this, so it does not matter who starts
 * first. Each service refuses to start when its reactions are not these.
 */
export const subscriptions: Readonly<Partial<Record<ServiceName, readonly EventDeclaration[]>>> = {
  exercises: [
    scenarioPublished,
    scenarioRemoved,
    sessionSaved,
    sessionCompleted,
    memberChanged,
    tokenRevoked,
  ],
  identity: [replayRequested, tokenRevoked],
};
