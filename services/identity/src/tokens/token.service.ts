import { type ApiToken, type identityApi, type List, type Scope, tokenRevoked } from '@muster/contracts';
import { AppError, type Ctx, invalid, listPage } from '@muster/service-kit';
import { v7 } from 'uuid';
import type { z } from 'zod';
import type { IdentityCtx } from '../config.ts';
import { signToken } from '../keys/key.service.ts';
import { ownMembership } from '../members/member.service.ts';
import { type TokenDoc, tokens, toToken } from './token.model.ts';
import { excessScopes, expiryOf, grantableScopes, weakerRole } from './token.rules.ts';

type Endpoints = (typeof identityApi)['endpoints'];
type TokenInput = z.output<Endpoints['createToken']['body']>;
type Page = z.output<Endpoints['listTokens']['query']>;

/** The version of a token that is revoked: it changes only that once. */
const REVOKED_SEQ = 1;

/**
 * Makes an API token for the caller. It carries no more than the caller does, and when it is made with a token, it
 * ends no later. Raises a 422 that names each scope that is too much.
 * @returns what is kept of it, and the JWT, which is kept nowhere
 */
export async function createToken(
  ctx: IdentityCtx,
  input: TokenInput,
): Promise<{ doc: TokenDoc; token: string }> {
  const { actor } = ctx;
  const member = await ownMembership(ctx);
  const role = weakerRole(actor.role, member.role);
  const scopes = grantedScopes(input.scopes, grantableScopes({ role, scopes: actor.scopes }));
  const now = new Date();
  const exp = expiryOf(input.expires_in_days, actor, now);
  const doc = await tokens(ctx).insert({
    _id: v7(),
    user_id: actor.id,
    name: input.name,
    scopes,
    created_at: now,
    expires_at: new Date(exp * 1000),
    revoked_at: null,
  });
  const { id: sub, org, name } = actor;
  const token = await signToken(ctx, { sub, jti: doc._id, org, name, role, scopes, kind: 'api_token', exp });
  return { doc, token };
}

function grantedScopes(asked: readonly Scope[] | undefined, grantable: Scope[]): Scope[] {
  if (asked === undefined) return grantable;
  const excess = excessScopes(asked, grantable);
  if (excess.length === 0) return grantable.filter((scope) => asked.includes(scope));
  throw invalid(
    excess.map(({ index, scope }) => ({
      path: `/scopes/${index}`,
      code: 'scope_not_held',
      message: `You do not hold the scope ${scope} yourself, so a token of yours cannot carry it.`,
      in: 'body',
    })),
  );
}

/** One page of the caller's own tokens, newest first, revoked and expired ones included. */
export async function listTokens(ctx: Ctx, query: Page): Promise<List<ApiToken>> {
  const filter = { user_id: ctx.actor.id };
  return await listPage(ctx, tokens(ctx), { name: 'tokens', filter, query, item: toToken });
}

/** One of the caller's own tokens. Raises `not-found`, also for another person's. */
export async function findToken(ctx: Ctx, id: string): Promise<TokenDoc> {
  const found = await tokens(ctx).findOne({ _id: id, user_id: ctx.actor.id });
  if (!found) throw new AppError('not-found', 'You have no token with this id.');
  return found;
}

/** Makes one of the caller's tokens worthless everywhere; once more changes nothing. Raises `not-found`. */
export async function revokeToken(ctx: Ctx, id: string): Promise<void> {
  const revoked = await tokens(ctx).findOneAndUpdate(
    { _id: id, user_id: ctx.actor.id, revoked_at: null },
    { $set: { revoked_at: new Date() } },
  );
  if (!revoked) {
    await findToken(ctx, id);
    return;
  }
  await ctx.emit(tokenRevoked, {
    subject: id,
    seq: REVOKED_SEQ,
    data: { jti: id, expires_at: revoked.expires_at.toISOString() },
  });
}
