import { DEMO_PEOPLE } from '@muster/contracts';
import { type Ctx, DEMO_ORGANIZATION, DEMO_OWNER, isDuplicateKey } from '@muster/service-kit';
import { v7 } from 'uuid';
import { config } from '../config.ts';
import { addMember, membershipOf } from '../members/member.service.ts';
import { foundOrganization } from './organization.service.ts';

/** In development mode, founds the demo organization that requests without a token act for. */
export async function seedDemo(ctx: Ctx): Promise<void> {
  const { MUSTER_MODE, DEMO_PEOPLE: wanted } = config(ctx);
  if (MUSTER_MODE !== 'development') return;
  const inside = ctx.forOrganization(DEMO_ORGANIZATION.id);
  await foundOrganization(inside, DEMO_ORGANIZATION.name, DEMO_OWNER);
  if (wanted) for (const person of DEMO_PEOPLE) await seedPerson(inside, person);
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
