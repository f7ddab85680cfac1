import { identityChangeRecorded } from '@muster/contracts';
import { type Ctx, recordChange } from '@muster/service-kit';
import { invites } from '../invites/invite.model.ts';
import { revokeTokensOf } from '../tokens/token.service.ts';
import { endSessionsOf } from '../web-sessions/web-session.service.ts';
import { requireAllowed } from './change.service.ts';
import { advance, findMember, memberObject } from './member.service.ts';

/**
 * Removes a member, or takes an invitation back. Their tokens and sessions end for good, so that none comes back to life should
 * they be invited again. Raises as `updateMember` does.
 */
export async function removeMember(
  ctx: Ctx,
  id: string,
  requireMatch: (etag: string) => void,
): Promise<void> {
  const membership = await findMember(ctx, id);
  const { role, status, version, user_id } = membership.member;
  requireMatch(String(version));
  await requireAllowed(ctx, membership, { status: 'removed' });
  await advance(ctx, membership, { status: 'removed', address: null, address_at: null });
  await invites(ctx).deleteMany({ member_id: id });
  await revokeTokensOf(ctx, user_id);
  await endSessionsOf(ctx, user_id);
  await recordChange(ctx, identityChangeRecorded, {
    action: status === 'invited' ? 'member.invite_taken_back' : 'member.removed',
    object: memberObject(membership),
    before: { role, status },
    after: null,
  });
}
