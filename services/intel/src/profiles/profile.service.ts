import type { OrganizationProfile } from '@muster/contracts';
import type { Ctx } from '@muster/service-kit';
import { profiles } from './profile.model.ts';

/** What the organization says of itself, as far as this service has heard; null while it has said nothing. */
export async function profileOf(ctx: Ctx): Promise<OrganizationProfile | null> {
  return (await profiles(ctx).findOne({ _id: ctx.org }))?.profile ?? null;
}

/** Stores a profile, unless a newer one is known. */
export async function keepProfile(ctx: Ctx, told: { seq: number; data: OrganizationProfile }): Promise<void> {
  await profiles(ctx).keepNewer({ _id: ctx.org, version: told.seq, profile: told.data }, 'version');
}
