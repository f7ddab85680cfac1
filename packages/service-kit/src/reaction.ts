import type { CloudEvent, EventData, EventDeclaration } from '@muster/contracts';
import { batchConsumer, type Consumer, type ConsumerTx, consumer } from '@muster/messaging';
import { systemActor } from './auth/actor.ts';
import { type Ctx, createContext, type Runtime } from './context.ts';

/** A service's reaction to a domain event, its own or another service's. */
export interface Reaction {
  declaration: EventDeclaration;
  bind(runtime: Runtime): Consumer;
}

type Options = { name?: string; order?: Consumer['order'] };

/**
 * Declares a reaction. Its effect, the mark that this event was handled and what it emits are one transaction;
 * a duplicate never reaches it.
 * @param options.order what is never handled side by side: one aggregate's events, or, for a projection that all of an
 * organization's events write to, one organization's
 * @param options.name where a service reacts twice to the same event; it keys the marks and must stay
 */
export function reaction<E extends EventDeclaration>(
  declaration: E,
  react: (ctx: Ctx, event: CloudEvent<EventData<E>>) => Promise<void>,
  options: Options = {},
): Reaction {
  return {
    declaration,
    bind: (runtime) => consumer(declaration, (event, tx) => react(contextOf(runtime, tx), event), options),
  };
}

/**
 * Declares a reaction that takes several events at once: those of one order that have come by then, oldest first, in
 * one transaction. All else is as {@link reaction} says; when it raises, each event comes again alone.
 */
export function batchReaction<E extends EventDeclaration>(
  declaration: E,
  react: (ctx: Ctx, events: readonly CloudEvent<EventData<E>>[]) => Promise<void>,
  options: Options = {},
): Reaction {
  return {
    declaration,
    bind: (runtime) =>
      batchConsumer(declaration, (events, tx) => react(contextOf(runtime, tx), events), options),
  };
}

function contextOf(runtime: Runtime, tx: ConsumerTx): Ctx {
  const actor = systemActor(tx.org, runtime.service);
  return createContext(runtime, {
    actor,
    signal: AbortSignal.timeout(REACTION_DEADLINE_MS),
    session: tx.session,
  });
}

const REACTION_DEADLINE_MS = 25_000;
