import { createContext, type Runtime, systemActor } from '@muster/service-kit';
import type { Connection } from 'mongoose';
import type { Config, IdentityCtx } from './config.ts';

const runtimes = new WeakMap<Connection, Runtime<Config>>();

/** Remembers the process's runtime, which contexts for other organizations are made of. */
export async function keepRuntime(runtime: Runtime<Config>): Promise<void> {
  runtimes.set(runtime.connection, runtime);
}

/**
 * The same piece of work, in the same transaction if there is one, for an organization that the caller's token does
 * not name: someone who signs in has none yet. Identity itself acts.
 */
export function contextFor(ctx: IdentityCtx, org: string): IdentityCtx {
  const runtime = runtimes.get(ctx.store.connection);
  if (!runtime) throw new Error('The runtime is not known: keepRuntime belongs to onStart');
  const { signal, address } = ctx;
  const { session } = ctx.store;
  return createContext(runtime, { actor: systemActor(org, 'identity'), signal, address, session });
}
