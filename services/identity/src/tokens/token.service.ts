import {
  type ApiToken,
  type identityApi,
  identityChangeRecorded,
  type List,
  type Scope,
  tokenRevoked,
} from '@muster/contracts';
import {
  AppError,
  type Ctx,
  invalid,
  listPage,
  recordChange,
  trusted,
  weakerRole,
} from '@muster/service-kit';
import { v7 } from 'uuid';
import type { z } from 'zod';
import { signToken } from '../keys/key.service.ts';
import { ownMembership } from '../members/member.service.ts';
import { readSettings } from '../settings/settings.service.ts';
import { type TokenDoc, tokens, toToken } from './token.model.ts';
import { excessScopes, expiryOf, grantableScopes, readingScopes } from './token.rules.ts';

type Endpoints = (typeof identityApi)['endpoints'];
type TokenInput = z.output<Endpoints['createToken']['body']>;
type Page = z.output<Endpoints['listTokens']['query']>;

const USUAL_DAYS = 90;

/** The version of a token that is revoked: it changes only that once. */
const REVOKED_SEQ = 1;

/**
 * Makes an API token for the caller. It carries no more than the caller does, and only reads where no scope is named;
 * when it is made with an API token, it ends no later. Raises a 422 that names each scope that is too much, or a life longer than the organization allows.
 * @returns what is kept of it, and the JWT, which is kept nowhere
 */
export async function createToken(ctx: Ctx, input: TokenInput): Promise<{ doc: TokenDoc; token: string }> {
  const { actor } = ctx;
  const member = await ownMembership(ctx);
  const days = await lifeOf(ctx, input.expires_in_days);
  const role = weakerRole(actor.role, member.role);
  const scopes = grantedScopes(input.scopes, grantableScopes({ role, scopes: actor.scopes }));
  const now = new Date();
  const exp = expiryOf(days, actor, now);
  const doc = await tokens(ctx).insert({
    _id: v7(),
    user_id: actor.id,
    name: input.name,
    made_with: actor.via === 'api_token' ? actor.tokenId : null,
    scopes,
    created_at: now,
    expires_at: new Date(exp * 1000),
    last_used_at: null,
    revoked_at: null,
  });
  await recordChange(ctx, identityChangeRecorded, {
    action: 'token.created',
    object: tokenObject(doc),
    before: null,
    after: { scopes, expires_at: doc.expires_at.toISOString() },
  });
  const { id: sub, org, name } = actor;
  const token = await signToken(ctx, { sub, jti: doc._id, org, name, role, scopes, kind: 'api_token', exp });
  return { doc, token };
}

/** How many days a token lives. Raises 422 for more than the organization allows. */
async function lifeOf(ctx: Ctx, asked: number | undefined): Promise<number> {
  const { api_token_max_days: most } = (await readSettings(ctx)).security;
  if (asked === undefined) return Math.min(USUAL_DAYS, most);
  if (asked <= most) return asked;
  const message = `Your organization lets tokens live for ${most} days at most.`;
  throw invalid([{ path: '/expires_in_days', code: 'too_long', message, in: 'body' }]);
}

const tokenObject = ({ _id, name }: TokenDoc) => ({ kind: 'token', id: _id, name });

function grantedScopes(asked: readonly Scope[] | undefined, grantable: Scope[]): Scope[] {
  if (asked === undefined) return readingScopes(grantable);
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

/**
 * Makes one of the caller's tokens, and those made with it, worthless everywhere; once more changes nothing.
 * Raises `not-found`.
 */
export async function revokeToken(ctx: Ctx, id: string): Promise<void> {
  const { _id } = await findToken(ctx, id);
  await revoke(ctx, _id);
}

async function revoke(ctx: Ctx, id: string): Promise<void> {
  const revoked = await tokens(ctx).findOneAndUpdate(
    { _id: id, revoked_at: null },
    { $set: { revoked_at: new Date() } },
  );
  if (!revoked) return;
  await tellRevoked(ctx, revoked);
  for (const { _id } of await tokens(ctx).find({ made_with: id, revoked_at: null })) await revoke(ctx, _id);
}

/** Makes all of a person's tokens worthless, for good. */
export async function revokeTokensOf(ctx: Ctx, userId: string): Promise<void> {
  const live = { user_id: userId, revoked_at: null, expires_at: trusted({ $gt: new Date() }) };
  for (const { _id } of await tokens(ctx).find(live)) await revoke(ctx, _id);
}

async function tellRevoked(ctx: Ctx, token: TokenDoc): Promise<void> {
  await announceRevoked(ctx, token);
  await recordChange(ctx, identityChangeRecorded, {
    action: 'token.revoked',
    object: tokenObject(token),
    before: null,
    after: null,
  });
}

/** Tells again which of the organization's tokens are revoked and would still be good otherwise. */
export async function announceRevocations(ctx: Ctx): Promise<void> {
  const good = { revoked_at: trusted({ $ne: null }), expires_at: trusted({ $gt: new Date() }) };
  for (const token of await tokens(ctx).find(good)) await announceRevoked(ctx, token);
}

async function announceRevoked(ctx: Ctx, { _id, expires_at }: TokenDoc): Promise<void> {
  const data = { jti: _id, expires_at: expires_at.toISOString() };
  await ctx.emit(tokenRevoked, { subject: _id, seq: REVOKED_SEQ, data });
}
