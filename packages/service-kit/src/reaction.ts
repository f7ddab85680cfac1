import type { CloudEvent, EventData, EventDeclaration } from '@muster/contracts';
import { type Consumer, consumer } from '@muster/messaging';
import { systemActor } from './auth/actor.ts';
import { type Ctx, createContext, type Runtime } from './context.ts';

/** A service's reaction to a domain event, its own or another service's. */
export interface Reaction {
  declaration: EventDeclaration;
  bind(runtime: Runtime): Consumer;
}

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
  options: { name?: string; order?: Consumer['order'] } = {},
): Reaction {
  return {
    declaration,
    bind: (runtime) =>
      consumer(
        declaration,
        async (event, tx) => {
          const actor = systemActor(event.orgid, runtime.service);
          const signal = AbortSignal.timeout(REACTION_DEADLINE_MS);
          await react(createContext(runtime, { actor, signal, session: tx.session }), event);
        },
        options,
      ),
  };
}

const REACTION_DEADLINE_MS = 25_000;
