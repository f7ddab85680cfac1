import { type Ctx, createContext, type Runtime, systemActor } from '@muster/service-kit';
import type { Connection } from 'mongoose';

const runtimes = new WeakMap<Connection, Runtime>();

/** Remembers the process's runtime, which contexts for other organizations are made of. */
export async function keepRuntime(runtime: Runtime): Promise<void> {
  runtimes.set(runtime.connection, runtime);
}

/**
 * The same piece of work, in the same transaction if there is one, for an organization that the caller's token does
 * not name: someone who signs in has none yet. Identity itself acts.
 */
export function contextFor(ctx: Ctx, org: string): Ctx {
  const runtime = runtimes.get(ctx.store.connection);
  if (!runtime) throw new Error('The runtime is not known: keepRuntime belongs to onStart');
  const { signal, address } = ctx;
  const { session } = ctx.store;
  return createContext(runtime, { actor: systemActor(org, 'identity'), signal, address, session });
}
