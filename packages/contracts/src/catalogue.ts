import * as contents from './contents.ts';
import { type Api, isApi, SERVICES, type ServiceName } from './core/endpoint.ts';
import { type EventDeclaration, isEvent } from './core/event.ts';
import { isSubscriptions } from './core/subscriptions.ts';
import { accessChanged, tokenRevoked } from './identity/auth/auth.events.ts';
import { settingsUpdated } from './identity/settings/settings.events.ts';

const declared: readonly unknown[] = Object.values(contents).flat();
const byService = (one: Api, other: Api) => SERVICES.indexOf(one.service) - SERVICES.indexOf(other.service);

/** Every endpoint of the product but the jobs, which each service answers for itself. */
export const apis: readonly Api[] = declared.filter(isApi).sort(byService);

/** Every domain event of the product. */
export const events: readonly EventDeclaration[] = [...new Set(declared.filter(isEvent))];

/** The declaration of an event type, or undefined for one this version does not know. */
export function eventOf(type: string): EventDeclaration | undefined {
  return events.find((event) => event.type === type);
}

/** What every service must know of identity to decide who may do what: the kit reacts to it. */
export const accessEvents = { tokenRevoked, accessChanged, settingsUpdated };

/**
 * Which services react to events, and to which: every publisher declares every queue and binding from this, so it does
 * not matter who starts first.
 */
export const subscribers: Readonly<Partial<Record<ServiceName, readonly EventDeclaration[]>>> =
  Object.fromEntries(
    declared.filter(isSubscriptions).map(({ service, events }) => {
      const all = [...Object.values(events), ...Object.values(accessEvents)].flat();
      return [service, [...new Set(all)]];
    }),
  );
