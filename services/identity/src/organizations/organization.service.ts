import { DEMO_PEOPLE, identityChangeRecorded } from '@muster/contracts';
import {
  type Ctx,
  createContext,
  DEMO_ORGANIZATION,
  DEMO_OWNER,
  isDuplicateKey,
  type Runtime,
  recordChange,
  systemActor,
} from '@muster/service-kit';
import { v7 } from 'uuid';
import { config } from '../config.ts';
import { addMember, membershipOf, type Person } from '../members/member.service.ts';
import { announceSettings } from '../settings/settings.service.ts';
import { organizations, registrations } from './organization.model.ts';

const START_DEADLINE_MS = 60_000;

/**
 * Founds the context's organization with its owner; events tell the others. Changes nothing when it is there already,
 * also when another replica is just founding it.
 */
export async function foundOrganization(ctx: Ctx, name: string, owner: Person): Promise<void> {
  try {
    await ctx.inTransaction(async (inside) => {
      if (await organizations(inside).findOne({ _id: ctx.org })) return;
      const now = new Date();
      await organizations(inside).insert({ _id: ctx.org, name, created_at: now });
      await registrations(inside).insert({ _id: ctx.org, registered_at: now });
      await addMember(inside, owner, 'owner');
      await announceSettings(inside);
      await recordChange(inside, identityChangeRecorded, {
        action: 'organization.founded',
        object: { kind: 'organization', id: ctx.org, name },
        before: null,
        after: { name },
      });
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

/** The ids of all organizations of this deployment, oldest first. */
export async function organizationIds(ctx: Ctx): Promise<string[]> {
  return (await registrations(ctx).find({}, { sort: { _id: 1 } })).map(({ _id }) => _id);
}

/** In development mode, founds the demo organization that requests without a token act for. */
export async function seedDemo(runtime: Runtime): Promise<void> {
  if (runtime.config.MUSTER_MODE !== 'development') return;
  const ctx = createContext(runtime, {
    actor: systemActor(DEMO_ORGANIZATION.id, 'identity'),
    signal: AbortSignal.timeout(START_DEADLINE_MS),
  });
  await foundOrganization(ctx, DEMO_ORGANIZATION.name, DEMO_OWNER);
  if (config(runtime).DEMO_PEOPLE) for (const person of DEMO_PEOPLE) await seedPerson(ctx, person);
}

/** Adds a demo person who was never there; one who was removed stays away. */
async function seedPerson(ctx: Ctx, person: (typeof DEMO_PEOPLE)[number]): Promise<void> {
  const { name, email, role } = person;
  try {
    await ctx.inTransaction(async (inside) => {
      if (await membershipOf(inside, email)) return;
      await addMember(inside, { id: v7(), name, email }, role);
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}
