import type { ServiceName } from './endpoint.ts';
import type { EventDeclaration } from './event.ts';

/** What a subscription may name: one event, or the events of one kind that several services emit. */
export type Subscribed = EventDeclaration | readonly EventDeclaration[];

/** The events that one service reacts to, by name. */
export interface Subscriptions<
  Events extends Record<string, Subscribed> = Record<string, Subscribed>,
  Service extends ServiceName = ServiceName,
> {
  service: Service;
  events: Events;
}

const declared = new WeakSet<object>();

/**
 * Declares what a service reacts to: its queue is bound to it, and its reactions are checked against it. What every
 * service hears of identity is added in the catalogue.
 */
export function subscriptions<
  const Service extends ServiceName,
  const Events extends Record<string, Subscribed>,
>(service: Service, events: Events): Subscriptions<Events, Service> {
  const declaration = { service, events };
  declared.add(declaration);
  return declaration;
}

/** True for what {@link subscriptions} made. */
export function isSubscriptions(value: unknown): value is Subscriptions {
  return typeof value === 'object' && value !== null && declared.has(value);
}
