import { accessChanged, memberChanged } from '@muster/contracts';
import { type Ctx, trusted } from '@muster/service-kit';
import { users } from '../users/user.model.ts';
import { type MemberDoc, type Membership, members, toAccess, toMemberFacts } from './member.model.ts';

/** Tells the others what a member is and may do since the version just written. Needs a transaction. */
export async function announce(ctx: Ctx, membership: Membership): Promise<void> {
  await announceFacts(ctx, membership);
  await announceAccess(ctx, membership.member);
}

/** Tells what every member of the organization is now, with unchanged versions: harmless for whoever knows already. */
export async function announceAll(ctx: Ctx): Promise<void> {
  const present = await members(ctx).find({ status: trusted({ $ne: 'removed' }) });
  for (const membership of await withUsers(ctx, present)) await announceFacts(ctx, membership);
}

/** Tells again what everyone who ever belonged to the organization may do, as {@link announceAll} does. */
export async function announceAllAccess(ctx: Ctx): Promise<void> {
  for (const member of await members(ctx).find({})) await announceAccess(ctx, member);
}

/** The members with who they are, in the same order. */
export async function withUsers(ctx: Ctx, some: readonly MemberDoc[]): Promise<Membership[]> {
  const ids = some.map((member) => member.user_id);
  const people = await users(ctx).find({ _id: trusted({ $in: ids }) });
  const byId = new Map(people.map((user) => [user._id, user]));
  return some.flatMap((member) => {
    const user = byId.get(member.user_id);
    return user ? [{ member, user }] : [];
  });
}

async function announceFacts(ctx: Ctx, membership: Membership): Promise<void> {
  const { _id, version } = membership.member;
  await ctx.emit(memberChanged, { subject: _id, seq: version, data: toMemberFacts(membership) });
}

/** Of someone invited nothing is told: what they may do once they join must not come after that they may not. */
async function announceAccess(ctx: Ctx, member: MemberDoc): Promise<void> {
  if (member.status === 'invited') return;
  await ctx.emit(accessChanged, { subject: member.user_id, seq: member.version, data: toAccess(member) });
}
