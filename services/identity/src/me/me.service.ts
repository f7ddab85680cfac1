import type { me } from '@muster/contracts';
import { type Ctx, unauthorized } from '@muster/service-kit';
import type { z } from 'zod';
import { ownMembership } from '../members/member.service.ts';
import { organizations } from '../organizations/organization.model.ts';
import { users } from '../users/user.model.ts';
import { findSession } from '../web-sessions/web-session.service.ts';

/** Who is calling, for which organization, and what they may do. Raises `unauthorized` for someone who has left. */
export async function whoAmI(ctx: Ctx): Promise<z.output<typeof me>> {
  const member = await ownMembership(ctx);
  const { id, role, scopes, via } = ctx.actor;
  const user = await users(ctx).findOne({ _id: id });
  const organization = await organizations(ctx).findOne({ _id: ctx.org });
  if (!user || !organization || via === 'system') throw unauthorized('This token belongs to no one here.');
  return {
    user: { id, name: user.name, email: user.email, picture: null, ip: member.address ?? null },
    organization: { id: organization._id, name: organization.name },
    role,
    scopes: [...scopes],
    authenticated_by: via,
    expires_at: (await endOf(ctx))?.toISOString() ?? null,
  };
}

/** When the caller has to sign in again: a web session outlives the tokens made for it. */
async function endOf(ctx: Ctx): Promise<Date | null> {
  const { via, tokenId, expiresAt } = ctx.actor;
  const session = via === 'session' && tokenId !== null ? await findSession(ctx, tokenId) : null;
  if (session) return session.expires_at;
  return expiresAt === null ? null : new Date(expiresAt * 1000);
}
