import {
  createContext,
  DEMO_ORGANIZATION,
  DEMO_OWNER,
  isDuplicateKey,
  type Runtime,
  systemActor,
} from '@muster/service-kit';
import type { Config, IdentityCtx } from '../config.ts';
import { addMember, type Person } from '../members/member.service.ts';
import { organizations } from './organization.model.ts';

const START_DEADLINE_MS = 60_000;

/**
 * Founds the context's organization with its owner; `member.changed` tells the others. Changes nothing when it is
 * there already, also when another replica is just founding it.
 */
export async function foundOrganization(ctx: IdentityCtx, name: string, owner: Person): Promise<void> {
  try {
    await ctx.inTransaction(async (inside) => {
      if (await organizations(inside).findOne({ _id: ctx.org })) return;
      await organizations(inside).insert({ _id: ctx.org, name, created_at: new Date() });
      await addMember(inside, owner, 'owner');
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

/** In development mode, founds the demo organization that requests without a token act for. */
export async function seedDemo(runtime: Runtime<Config>): Promise<void> {
  if (runtime.config.MUSTER_MODE !== 'development') return;
  const ctx = createContext(runtime, {
    actor: systemActor(DEMO_ORGANIZATION.id, 'identity'),
    signal: AbortSignal.timeout(START_DEADLINE_MS),
  });
  await foundOrganization(ctx, DEMO_ORGANIZATION.name, DEMO_OWNER);
}
