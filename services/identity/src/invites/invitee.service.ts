import type { Ctx } from '@muster/service-kit';
import { type Membership, members } from '../members/member.model.ts';
import { requireUser } from '../members/member.service.ts';
import type { InviteDoc } from './invite.model.ts';

/** Who an invitation is for, while it can be accepted; else null. */
export async function invitedBy(ctx: Ctx, { member_id, expires_at }: InviteDoc): Promise<Membership | null> {
  if (expires_at <= new Date()) return null;
  const member = await members(ctx).findOne({ _id: member_id, status: 'invited' });
  return member && (await requireUser(ctx, member));
}
