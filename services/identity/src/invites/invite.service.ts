import { identityChangeRecorded, type membersApi, type Role } from '@muster/contracts';
import { AppError, type Ctx, isDuplicateKey, recordChange, seal } from '@muster/service-kit';
import { v7 } from 'uuid';
import type { z } from 'zod';
import { config } from '../config.ts';
import { announce } from '../members/announcement.service.ts';
import { type Membership, members } from '../members/member.model.ts';
import { mayGrant, refusalOf } from '../members/member.rules.ts';
import {
  advance,
  join,
  memberObject,
  membershipOf,
  newcomer,
  rename,
  requireUser,
} from '../members/member.service.ts';
import { organizations } from '../organizations/organization.model.ts';
import { users } from '../users/user.model.ts';
import { inviteMailing } from './invite.jobs.ts';
import { invites } from './invite.model.ts';
import { digestOf, inviteUrl, linkBinding, newInvite, partsOf, tokenOf } from './invite.rules.ts';
import { invitedBy } from './invitee.service.ts';

type InviteInput = z.output<(typeof membersApi)['endpoints']['inviteMember']['body']>;

export interface MemberInvite extends Membership {
  invite: { expires_at: string; url?: string };
}

/**
 * Invites someone, or renews their invitation: then the older link is worth nothing. The mail goes out by a job; where
 * no mail server is configured, the answer holds the link. Raises `forbidden` for a role above the caller's, and
 * `conflict` for someone who is a member.
 */
export async function inviteMember(ctx: Ctx, input: InviteInput): Promise<MemberInvite> {
  const { email, role } = input;
  if (!mayGrant(ctx.actor.role, role))
    throw new AppError('forbidden', `Only an ${role} may invite someone as ${role}.`);
  const known = await membershipOf(ctx, email);
  const membership = known ? await inviteAgain(ctx, known, input) : await inviteFirst(ctx, input);
  await recordChange(ctx, identityChangeRecorded, {
    action: known?.member.status === 'invited' ? 'member.invite_renewed' : 'member.invited',
    object: memberObject(membership),
    before: known?.member.status === 'invited' ? { role: known.member.role } : null,
    after: { role },
  });
  return { ...membership, invite: await issue(ctx, membership) };
}

async function inviteFirst(ctx: Ctx, { email, role, name }: InviteInput): Promise<Membership> {
  try {
    const now = new Date();
    const user = await users(ctx).insert({ _id: v7(), name: name ?? email, email, created_at: now });
    const member = await members(ctx).insert({
      ...newcomer,
      _id: v7(),
      user_id: user._id,
      role,
      status: 'invited',
      ...(await byCaller(ctx)),
    });
    await announce(ctx, { member, user });
    return { member, user };
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new AppError('conflict', 'Somebody else invited them just now: look at the list of members.');
  }
}

async function inviteAgain(ctx: Ctx, known: Membership, { role, name }: InviteInput): Promise<Membership> {
  const { status } = known.member;
  if (status === 'active' || status === 'suspended')
    throw new AppError('conflict', `${known.user.email} is a member already.`);
  const refusal = status === 'invited' && refusalOf(ctx.actor.role, false, known.member, { role });
  if (refusal) throw new AppError(refusal.code, refusal.detail);
  const named = await rename(ctx, known, name ?? known.user.name);
  const invited = { role, status: 'invited' as const, joined_at: null, ...(await byCaller(ctx)) };
  return { member: await advance(ctx, named, invited), user: named.user };
}

async function byCaller(ctx: Ctx): Promise<{ invited_by: string | null; invited_at: Date }> {
  const inviter = await members(ctx).findOne({ user_id: ctx.actor.id });
  return { invited_by: inviter?._id ?? null, invited_at: new Date() };
}

async function issue(ctx: Ctx, { member }: Membership): Promise<MemberInvite['invite']> {
  const { secret, expires_at } = newInvite(new Date());
  const id = digestOf(secret);
  await invites(ctx).deleteMany({ member_id: member._id });
  await invites(ctx).insert({ _id: id, member_id: member._id, inviter: ctx.actor.name, expires_at });
  const url = inviteUrl(config(ctx).PUBLIC_ORIGIN, tokenOf(ctx.org, secret));
  const invite = { expires_at: expires_at.toISOString() };
  if (config(ctx).SMTP_URL === undefined) return { ...invite, url };
  const link = seal(config(ctx).KEY_ENCRYPTION_KEY, linkBinding(ctx.org, id), url);
  await ctx.enqueue(inviteMailing, { invite: id, link });
  return invite;
}

/** The organization that a token invites to, as far as the token says; null for a text that is none. */
export function organizationOfInvite(token: string): string | null {
  return partsOf(token)?.org ?? null;
}

/** What the page behind an invitation's link tells. */
export interface InviteDetails {
  organization: string;
  role: Role;
  email: string;
  inviter: string;
}

/** The invitation of a token; null for one that is unknown, expired, renewed, used or taken back. */
export async function findInvite(ctx: Ctx, token: string): Promise<InviteDetails | null> {
  const found = await openInvite(ctx, token);
  if (!found) return null;
  const { inside, invite, membership } = found;
  const organization = await organizations(inside).findOne({ _id: inside.org });
  if (!organization) return null;
  const { member, user } = membership;
  return { organization: organization.name, role: member.role, email: user.email, inviter: invite.inviter };
}

/**
 * Makes the person of a token an active member of its organization, once.
 * @param person as a provider vouches for them: the e-mail address is verified
 * Raises `forbidden`, in the same words whether the token is unknown, expired or used, or was for another address.
 */
export async function acceptInvite(
  ctx: Ctx,
  token: string,
  person: { name: string; email: string },
): Promise<Membership> {
  const org = organizationOfInvite(token);
  if (org === null) throw notYours();
  return await ctx.forOrganization(org).inTransaction(async (inside) => {
    const found = await openInvite(inside, token);
    if (found?.membership.user.email !== person.email.toLowerCase()) throw notYours();
    const { membership, invite } = found;
    if (!(await invites(inside).deleteOne({ _id: invite._id }))) throw notYours();
    const member = await join(inside, membership, { name: person.name, role: membership.member.role });
    return await requireUser(inside, member);
  });
}

async function openInvite(ctx: Ctx, token: string) {
  const parts = partsOf(token);
  if (!parts) return null;
  const inside = ctx.forOrganization(parts.org);
  const invite = await invites(inside).findOne({ _id: digestOf(parts.secret) });
  const membership = invite && (await invitedBy(inside, invite));
  return membership ? { inside, invite, membership } : null;
}

function notYours(): AppError {
  return new AppError(
    'forbidden',
    'This invitation cannot be used: it may have expired, been used or renewed, or be for another e-mail address. Ask for a new one.',
  );
}
