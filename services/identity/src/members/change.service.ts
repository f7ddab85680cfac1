import { identityChangeRecorded, type membersApi } from '@muster/contracts';
import { AppError, type Ctx, recordChange, trusted } from '@muster/service-kit';
import type { z } from 'zod';
import { organizations } from '../organizations/organization.model.ts';
import { type MemberDoc, type Membership, members } from './member.model.ts';
import { alterationsOf, losesOwner, refusalOf, type StandingChange } from './member.rules.ts';
import { advance, findMember, memberObject, rename } from './member.service.ts';

type MemberChange = z.output<(typeof membersApi)['endpoints']['updateMember']['body']>;

/**
 * Changes a member's role, status or name. Raises `not-found`, `precondition-failed`, `forbidden` for what the caller
 * may not grant, `conflict`, and `last-owner` when nobody would own the organization any more.
 */
export async function updateMember(
  ctx: Ctx,
  id: string,
  change: MemberChange,
  requireMatch: (etag: string) => void,
): Promise<Membership> {
  const before = await findMember(ctx, id);
  requireMatch(String(before.member.version));
  await requireAllowed(ctx, before, change);
  const { role, status } = before.member;
  const alterations = alterationsOf({ role, status, name: before.user.name }, change);
  if (alterations.length === 0) return before;
  const named = await rename(ctx, before, change.name ?? before.user.name);
  const member = await advance(ctx, named, {
    role: change.role ?? role,
    status: change.status ?? status,
  });
  const object = memberObject(named);
  for (const alteration of alterations)
    await recordChange(ctx, identityChangeRecorded, { ...alteration, object });
  return { member, user: named.user };
}

/** Raises unless the caller may change this member so. */
export async function requireAllowed(
  ctx: Ctx,
  { member }: Membership,
  change: StandingChange,
): Promise<void> {
  const refusal = refusalOf(ctx.actor.role, member.user_id === ctx.actor.id, member, change);
  if (refusal) throw new AppError(refusal.code, refusal.detail);
  if (losesOwner(member, change)) await requireAnotherOwner(ctx, member);
}

/** Two who leave at once must not both see the other stay: each writes the organization, so one of them runs again. */
async function requireAnotherOwner(ctx: Ctx, leaving: MemberDoc): Promise<void> {
  await organizations(ctx).updateOne({ _id: ctx.org }, { $inc: { owner_changes: 1 } });
  const others = { role: 'owner' as const, status: 'active' as const, _id: trusted({ $ne: leaving._id }) };
  if (await members(ctx).findOne(others)) return;
  throw new AppError(
    'last-owner',
    'This is the only active owner of the organization: make someone else an owner first.',
  );
}
