import { type Ctx, DEMO_ORGANIZATION } from '@muster/service-kit';
import { config } from '../config.ts';
import { organizationIds } from '../organizations/organization.service.ts';
import { newSetupToken, SETUP_HOURS } from './setup.service.ts';

/**
 * In production while there is no organization, tells whoever reads the log how to become its first owner. Where
 * several replicas start, the newest link holds.
 */
export async function offerSetup(ctx: Ctx): Promise<void> {
  const { MUSTER_MODE, PUBLIC_ORIGIN, PROVIDERS } = config(ctx);
  if (MUSTER_MODE !== 'production') return;
  if (PROVIDERS.length === 0)
    ctx.log.warn('Nobody can sign in: set PROVIDER_A_ISSUER (or _PRESET), _CLIENT_ID and _CLIENT_SECRET');
  const organizations = (await organizationIds(ctx)).filter((id) => id !== DEMO_ORGANIZATION.id);
  const token = organizations.length > 0 ? null : await newSetupToken(ctx);
  if (token === null) return;
  const link = `${PUBLIC_ORIGIN}/auth/setup?token=${token}`;
  ctx.log.warn(
    `There is no organization yet. Whoever signs in by this link within ${SETUP_HOURS} hours founds it and owns it: ${link}`,
  );
}
