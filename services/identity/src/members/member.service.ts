import { memberChanged, type Role } from '@muster/contracts';
import { type Ctx, trusted, unauthorized } from '@muster/service-kit';
import { v7 } from 'uuid';
import { type UserDoc, users } from '../users/user.model.ts';
import { type MemberDoc, members, toMemberFacts } from './member.model.ts';

export interface Person {
  id: string;
  name: string;
  email: string;
}

/** Adds a person to the organization. Needs a transaction; raises the duplicate-key error when they are there already. */
export async function addMember(ctx: Ctx, person: Person, role: Role): Promise<MemberDoc> {
  const now = new Date();
  const { id, name, email } = person;
  const user = await users(ctx).insert({ _id: id, name, email: email.toLowerCase(), created_at: now });
  const member = await members(ctx).insert({
    _id: v7(),
    user_id: id,
    role,
    status: 'active',
    version: 1,
    joined_at: now,
  });
  await announce(ctx, member, user);
  return member;
}

/** The caller's own membership. Raises `unauthorized` when a valid token's owner does not belong here any more. */
export async function ownMembership(ctx: Ctx): Promise<MemberDoc> {
  const member = await members(ctx).findOne({ user_id: ctx.actor.id, status: 'active' });
  if (!member) throw unauthorized('The owner of this token is not a member of the organization any more.');
  return member;
}

/** Tells what every member of the organization is now, with unchanged versions: harmless for whoever knows already. */
export async function announceAll(ctx: Ctx): Promise<void> {
  const all = await members(ctx).find({});
  const ids = all.map((member) => member.user_id);
  const people = new Map(
    (await users(ctx).find({ _id: trusted({ $in: ids }) })).map((user) => [user._id, user]),
  );
  for (const member of all) {
    const user = people.get(member.user_id);
    if (user) await announce(ctx, member, user);
  }
}

async function announce(ctx: Ctx, member: MemberDoc, user: UserDoc): Promise<void> {
  await ctx.emit(memberChanged, {
    subject: member._id,
    seq: member.version,
    data: toMemberFacts(member, user),
  });
}
