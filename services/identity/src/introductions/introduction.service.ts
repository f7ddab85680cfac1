import { type ServiceName, subscribers } from '@muster/contracts';
import { type Ctx, isDuplicateKey } from '@muster/service-kit';
import { announceAllAccess } from '../members/announcement.service.ts';
import { organizationIds } from '../organizations/organization.service.ts';
import { announceSettings } from '../settings/settings.service.ts';
import { announceRevocations } from '../tokens/token.service.ts';
import { introductions } from './introduction.model.ts';

/** The services that decide who may do what by what identity tells: all that listen to anything. */
const LISTENERS = Object.keys(subscribers) as ServiceName[];

/**
 * Tells everything again where a version of the product brings a service that was not there before: its queue holds
 * only what happened since, and it would take tokens that were revoked earlier. Whoever knows it all is not bothered.
 * A run that was interrupted is done again by the next start.
 * @returns the services that are new
 */
export async function introduceServices(ctx: Ctx): Promise<ServiceName[]> {
  const told = new Set((await introductions(ctx).find({})).map(({ _id }) => _id));
  const strangers = LISTENERS.filter((name) => !told.has(name));
  if (strangers.length === 0) return [];
  for (const org of await organizationIds(ctx)) await ctx.forOrganization(org).inTransaction(tellAll);
  const told_at = new Date();
  for (const _id of strangers)
    await introductions(ctx).updateOne({ _id }, { $set: { told_at } }, { upsert: true }).catch(refuseOthers);
  return strangers;
}

/** Another replica that just tells the same service is no failure. */
function refuseOthers(error: unknown): void {
  if (!isDuplicateKey(error)) throw error;
}

async function tellAll(ctx: Ctx): Promise<void> {
  await announceRevocations(ctx);
  await announceSettings(ctx);
  await announceAllAccess(ctx);
}
