import { DEMO_PEOPLE } from '@muster/contracts';
import { type Ctx, DEMO_ORGANIZATION, isDuplicateKey } from '@muster/service-kit';
import { config } from '../config.ts';
import { users } from '../users/user.model.ts';
import { linkPerson } from './link.service.ts';

/** In development with DEMO_PEOPLE=1, lets the demo organization's people sign in with the demo providers. */
export async function linkDemoPeople(ctx: Ctx): Promise<void> {
  const { MUSTER_MODE, DEMO_PEOPLE: wanted, PROVIDERS } = config(ctx);
  if (MUSTER_MODE !== 'development' || !wanted) return;
  const inside = ctx.forOrganization(DEMO_ORGANIZATION.id);
  for (const { sub, email } of DEMO_PEOPLE) {
    const user = await users(inside).findOne({ email });
    if (!user) continue;
    for (const { issuer } of PROVIDERS)
      await linkPerson(inside, { issuer: issuer.href, subject: sub }, user._id).catch(refuseOthers);
  }
}

/** Another replica that just links the same person is no failure. */
function refuseOthers(error: unknown): void {
  if (!isDuplicateKey(error)) throw error;
}
