import { identityChangeRecorded } from '@muster/contracts';
import { type Ctx, isDuplicateKey, recordChange } from '@muster/service-kit';
import { addMember, type Person } from '../members/member.service.ts';
import { announceSettings } from '../settings/settings.service.ts';
import { organizations, registrations } from './organization.model.ts';

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
