import {
  identityChangeRecorded,
  type List,
  type Member,
  type membersApi,
  type Role,
} from '@muster/contracts';
import { AppError, type Ctx, listPage, recordChange, trusted, unauthorized } from '@muster/service-kit';
import { v7 } from 'uuid';
import type { z } from 'zod';
import { invites } from '../invites/invite.model.ts';
import { users } from '../users/user.model.ts';
import { announce, withUsers } from './announcement.service.ts';
import { type MemberDoc, type Membership, members, toMember } from './member.model.ts';

type ListQuery = z.output<(typeof membersApi)['endpoints']['listMembers']['query']>;

export interface Person {
  id: string;
  name: string;
  email: string;
}

/**
 * Adds a person to the organization as an active member. Someone who was invited joins with the role of the
 * invitation, which is used up; someone who was removed comes back as the user they were, so look at the answer's
 * `user_id`. Needs a transaction; raises `conflict` when the e-mail address is a member's already.
 */
export async function addMember(ctx: Ctx, person: Person, role: Role): Promise<MemberDoc> {
  const known = await membershipOf(ctx, person.email);
  if (!known) return await newMember(ctx, person, role);
  const { status } = known.member;
  if (status === 'active' || status === 'suspended')
    throw new AppError('conflict', 'Somebody with this e-mail address is a member already.');
  return await join(ctx, known, { name: person.name, role: status === 'invited' ? known.member.role : role });
}

async function newMember(ctx: Ctx, { id, name, email }: Person, role: Role): Promise<MemberDoc> {
  const user = await users(ctx).insert({
    _id: id,
    name,
    email: email.toLowerCase(),
    created_at: new Date(),
  });
  const member = await members(ctx).insert({
    ...newcomer,
    _id: v7(),
    user_id: id,
    role,
    status: 'active',
    joined_at: new Date(),
  });
  await announce(ctx, { member, user });
  await recordJoined(ctx, { member, user });
  return member;
}

/** What is not known yet of someone who is new. */
export const newcomer = {
  version: 1,
  invited_by: null,
  invited_at: null,
  joined_at: null,
  last_seen_at: null,
  address: null,
  address_at: null,
};

/** Makes someone who was invited or had left an active member. Needs a transaction. */
export async function join(
  ctx: Ctx,
  { member, user }: Membership,
  as: { name: string; role: Role },
): Promise<MemberDoc> {
  await invites(ctx).deleteMany({ member_id: member._id });
  const named = await rename(ctx, { member, user }, as.name || user.name);
  const joined = await advance(ctx, named, { role: as.role, status: 'active', joined_at: new Date() });
  await recordJoined(ctx, { member: joined, user: named.user });
  return joined;
}

async function recordJoined(ctx: Ctx, { member, user }: Membership): Promise<void> {
  await recordChange(ctx, identityChangeRecorded, {
    action: 'member.joined',
    object: memberObject({ member, user }),
    before: null,
    after: { name: user.name, email: user.email, role: member.role },
  });
}

/** The caller's own membership. Raises `unauthorized` when a valid token's owner does not belong here any more. */
export async function ownMembership(ctx: Ctx): Promise<MemberDoc> {
  const member = await members(ctx).findOne({ user_id: ctx.actor.id, status: 'active' });
  if (!member) throw unauthorized('The owner of this token is not a member of the organization any more.');
  return member;
}

/** The member with who they are; a member without a user is a broken database. */
export async function requireUser(ctx: Ctx, member: MemberDoc): Promise<Membership> {
  const user = await users(ctx).findOne({ _id: member.user_id });
  if (!user) throw new Error(`The member ${member._id} has no user`);
  return { member, user };
}

/** The member with an e-mail address, whatever their status, or null. */
export async function membershipOf(ctx: Ctx, email: string): Promise<Membership | null> {
  const user = await users(ctx).findOne({ email: email.toLowerCase() });
  const member = user && (await members(ctx).findOne({ user_id: user._id }));
  return member ? { member, user } : null;
}

/** One page of those who belong to the organization or are invited, newest first. */
export async function listMembers(ctx: Ctx, query: ListQuery): Promise<List<Member>> {
  const { limit, cursor, status, role } = query;
  const filter = { status: status ?? trusted({ $ne: 'removed' as const }), ...(role && { role }) };
  const rows = members(ctx);
  const list = { name: 'members', filter, query: { limit, cursor }, item: (member: MemberDoc) => member };
  const page = await listPage(ctx, rows, list);
  return { ...page, items: (await withUsers(ctx, page.items)).map(toMember) };
}

/** A member of the caller's organization, or someone invited. Raises `not-found`. */
export async function findMember(ctx: Ctx, id: string): Promise<Membership> {
  const member = await members(ctx).findOne({ _id: id, status: trusted({ $ne: 'removed' }) });
  if (!member) throw new AppError('not-found', 'There is no member with this id.');
  return await requireUser(ctx, member);
}

/**
 * Writes a member's next version and tells the others. Needs a transaction.
 * Raises `conflict` when somebody else was faster.
 */
export async function advance(
  ctx: Ctx,
  { member, user }: Membership,
  changes: Partial<Omit<MemberDoc, '_id' | 'org_id' | 'version'>>,
): Promise<MemberDoc> {
  const { _id, version } = member;
  const stored = await members(ctx).findOneAndUpdate(
    { _id, version },
    { $set: { ...changes, version: version + 1 } },
  );
  if (!stored)
    throw new AppError('conflict', 'Somebody else changed this member just now: read it and try again.');
  await announce(ctx, { member: stored, user });
  return stored;
}

/** Gives the person another name; the member's next version tells it. */
export async function rename(ctx: Ctx, { member, user }: Membership, name: string): Promise<Membership> {
  if (name === user.name) return { member, user };
  await users(ctx).updateOne({ _id: user._id }, { $set: { name } });
  return { member, user: { ...user, name } };
}

/** The member as the audit log names it. */
export function memberObject({ member, user }: Membership) {
  return { kind: 'member', id: member._id, name: user.email };
}
