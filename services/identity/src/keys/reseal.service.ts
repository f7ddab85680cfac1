import { identityChangeRecorded } from '@muster/contracts';
import { type Ctx, recordChange } from '@muster/service-kit';
import { config } from '../config.ts';
import { organizationIds } from '../organizations/organization.service.ts';
import { resealSettings } from '../settings/settings.service.ts';
import { rewrapKeys } from './key.service.ts';

/** How much was still under an older key-encryption key, and of how many organizations' settings. */
export interface ResealCounts {
  signingKeys: number;
  settings: number;
  organizations: number;
}

/**
 * Puts everything that is kept for long under the newest key of KEY_ENCRYPTION_KEY, and tells the other services, who
 * keep copies. Every replica must have that key in its ring by then, and still the older ones. Each organization is a transaction of its own: a run that was interrupted is finished by the next.
 */
export async function resealAll(ctx: Ctx): Promise<ResealCounts> {
  const signingKeys = await rewrapKeys(ctx);
  const organizations = await organizationIds(ctx);
  let settings = 0;
  for (const org of organizations) {
    const resealed = await ctx.forOrganization(org).inTransaction(resealOne);
    if (resealed) settings += 1;
  }
  return { signingKeys, settings, organizations: organizations.length };
}

async function resealOne(ctx: Ctx): Promise<boolean> {
  if (!(await resealSettings(ctx))) return false;
  const [key_id] = config(ctx).KEY_ENCRYPTION_KEY.keys();
  await recordChange(ctx, identityChangeRecorded, {
    action: 'settings.resealed',
    object: { kind: 'settings', id: ctx.org, name: 'Settings' },
    before: null,
    after: { key_id },
  });
  return true;
}
