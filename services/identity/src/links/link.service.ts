import type { Ctx } from '@muster/service-kit';
import type { Identity } from '../providers/claims.rules.ts';
import { type LinkDoc, linkId, links } from './link.model.ts';

/** Whom an account with a provider is linked to, if anyone. */
export async function findLink(ctx: Ctx, key: Identity['key']): Promise<LinkDoc | null> {
  return await links(ctx).findOne({ _id: linkId(key) });
}

/**
 * Links an account with a provider to a user of the context's organization. The account of someone who has left may be
 * linked anew; whoever may do that is the caller's decision.
 */
export async function linkPerson(ctx: Ctx, key: Identity['key'], userId: string): Promise<void> {
  await links(ctx).updateOne(
    { _id: linkId(key) },
    { $set: { user_id: userId, member_org: ctx.org, created_at: new Date() } },
    { upsert: true },
  );
}
