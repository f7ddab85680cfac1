import type { OrganizationProfile } from '@muster/contracts';
import { isNewer } from '@muster/messaging';
import type { Ctx } from '@muster/service-kit';
import { profiles } from './profile.model.ts';

/** What the organization says of itself, as far as this service has heard; null while it has said nothing. */
export async function profileOf(ctx: Ctx): Promise<OrganizationProfile | null> {
  return (await profiles(ctx).findOne({ _id: ctx.org }))?.profile ?? null;
}

/** Stores a profile, unless a newer one is known. Needs a transaction. */
export async function keepProfile(ctx: Ctx, told: { seq: number; data: OrganizationProfile }): Promise<void> {
  const _id = ctx.org;
  const known = await profiles(ctx).findOne({ _id }, { projection: { version: 1 } });
  if (!isNewer(told, known?.version)) return;
  const { seq: version, data: profile } = told;
  await profiles(ctx).updateOne({ _id }, { $set: { version, profile } }, { upsert: true });
}
