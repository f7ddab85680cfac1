import type { me } from '@muster/contracts';
import { type Ctx, unauthorized } from '@muster/service-kit';
import type { z } from 'zod';
import { ownMembership } from '../members/member.service.ts';
import { organizations } from '../organizations/organization.model.ts';
import { users } from '../users/user.model.ts';

/** Who is calling, for which organization, and what they may do. Raises `unauthorized` for someone who has left. */
export async function whoAmI(ctx: Ctx): Promise<z.output<typeof me>> {
  await ownMembership(ctx);
  const { id, role, scopes, via, expiresAt } = ctx.actor;
  const user = await users(ctx).findOne({ _id: id });
  const organization = await organizations(ctx).findOne({ _id: ctx.org });
  if (!user || !organization || via === 'system') throw unauthorized('This token belongs to no one here.');
  return {
    user: { id, name: user.name, email: user.email, picture: null, ip: null },
    organization: { id: organization._id, name: organization.name },
    role,
    scopes: [...scopes],
    authenticated_by: via,
    expires_at: expiresAt === null ? null : new Date(expiresAt * 1000).toISOString(),
  };
}
