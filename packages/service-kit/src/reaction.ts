import type {
  CloudEvent,
  EventData,
  EventDeclaration,
  ServiceName,
  Subscribed,
  Subscriptions,
} from '@muster/contracts';
import type { Consumer, ConsumerTx } from '@muster/messaging';
import { systemActor } from './auth/actor.ts';
import { type Ctx, createContext, type Runtime } from './context.ts';

/** A service's reaction to a domain event, its own or another service's, or to one that several services emit. */
export interface Reaction<On extends Subscribed = Subscribed> {
  on: On;
  bind(runtime: Runtime): Consumer[];
}

type Declared<On extends Subscribed> = On extends readonly (infer Each)[] ? Each : On;
type EventOn<On extends Subscribed> = CloudEvent<EventData<Extract<Declared<On>, EventDeclaration>>>;
type Options = Partial<Pick<Consumer, 'name' | 'order'>>;

/**
 * Declares a reaction. Its effect, the mark that this event was handled and what it emits are one transaction;
 * a duplicate never reaches it. When it raises, the event comes again, later and later, and at last is parked.
 * @param on the event, or the events of one kind that several services emit
 * @param options.order what is never handled side by side: one aggregate's events (default), or, for a projection that
 * all of an organization's events write to, one organization's
 * @param options.name where a service reacts twice to the same event; it keys the marks and must stay
 */
export function reaction<const On extends Subscribed>(
  on: On,
  react: (ctx: Ctx, event: EventOn<On>) => Promise<void>,
  options: Options = {},
): Reaction<On> {
  return declare(on, options, (runtime) => ({
    handle: (event, tx) => react(contextOf(runtime, tx), event as EventOn<On>),
  }));
}

/**
 * Declares a reaction that takes several events at once: those of one order that have come by then, oldest first, in
 * one transaction. All else is as {@link reaction} says; when it raises, each event comes again alone.
 */
export function batchReaction<const On extends Subscribed>(
  on: On,
  react: (ctx: Ctx, events: readonly EventOn<On>[]) => Promise<void>,
  options: Options = {},
): Reaction<On> {
  return declare(on, options, (runtime) => ({
    handle: (event, tx) => react(contextOf(runtime, tx), [event as EventOn<On>]),
    handleAll: (events, tx) => react(contextOf(runtime, tx), events as readonly EventOn<On>[]),
  }));
}

/** The data of what it handles was parsed by the event's declaration before. */
function declare<On extends Subscribed>(
  on: On,
  options: Options,
  handling: (runtime: Runtime) => Pick<Consumer, 'handle' | 'handleAll'>,
): Reaction<On> {
  const consumer = (declaration: EventDeclaration, runtime: Runtime): Consumer => ({
    name: declaration.type,
    order: 'aggregate',
    ...options,
    declaration,
    ...handling(runtime),
  });
  return { on, bind: (runtime) => [on].flat().map((declaration) => consumer(declaration, runtime)) };
}

const REACTION_DEADLINE_MS = 25_000;

function contextOf(runtime: Runtime, tx: ConsumerTx): Ctx {
  const signal = AbortSignal.timeout(REACTION_DEADLINE_MS);
  return createContext(runtime, { actor: systemActor(tx.org, runtime.service), signal, session: tx.session });
}

/** For each subscribed event what a service does: one reaction at least, or it does not compile. */
export type ReactionsTo<Events extends Record<string, Subscribed>> = {
  readonly [Name in keyof Events]: readonly [Reaction<Events[Name]>, ...Reaction<Events[Name]>[]];
};

/** All that a service does when something happens. */
export interface Reactions<Service extends ServiceName = ServiceName> {
  service: Service;
  all: readonly Reaction[];
}

/**
 * Joins what a service subscribes to and its reactions. A subscription without a reaction does not compile, nor does a
 * reaction that is not subscribed to.
 */
export function reactionsTo<Service extends ServiceName, Events extends Record<string, Subscribed>>(
  { service }: Subscriptions<Events, Service>,
  reactions: ReactionsTo<NoInfer<Events>>,
): Reactions<Service> {
  return { service, all: Object.values<readonly Reaction[]>(reactions).flat() };
}
