import { scopesOf, tokenRevoked } from '@muster/contracts';
import { type Ctx, open, seal, trusted, unauthorized } from '@muster/service-kit';
import { v7 } from 'uuid';
import { config } from '../config.ts';
import { signToken } from '../keys/key.service.ts';
import { members } from '../members/member.model.ts';
import { readSettings } from '../settings/settings.service.ts';
import { users } from '../users/user.model.ts';
import { type WebSessionDoc, webSessionCollection, webSessions } from './web-session.model.ts';
import {
  cookieOf,
  digestOf,
  endOf,
  isSecretOf,
  isSeenAgain,
  newSecret,
  readCookie,
  revokedUntil,
  tokenEnd,
} from './web-session.rules.ts';

const HOUR_S = 3600;
/** A session ends only once. */
const REVOKED_SEQ = 1;

/** How someone came in. */
export interface Entry {
  userId: string;
  provider: string;
  /** Where the browser ends its session with the provider. */
  logoutUrl: string | null;
  userAgent: string | undefined;
}

/** A new session's cookie value, and the seconds until its absolute end. */
export interface NewSession {
  cookie: string;
  seconds: number;
}

/** Begins a session, always a new one, for a user of the context's organization. */
export async function beginSession(ctx: Ctx, entry: Entry): Promise<NewSession> {
  const { session_hours } = (await readSettings(ctx)).security;
  const seconds = session_hours * HOUR_S;
  const [id, secret, now] = [v7(), newSecret(), new Date()];
  const { userId, provider, logoutUrl, userAgent } = entry;
  await webSessions(ctx).insert({
    _id: id,
    user_id: userId,
    secret_digest: digestOf(secret),
    provider,
    created_at: now,
    last_seen_at: now,
    expires_at: new Date(now.getTime() + seconds * 1000),
    address: ctx.address,
    user_agent: userAgent ?? null,
    logout_url:
      logoutUrl === null ? null : seal(config(ctx).KEY_ENCRYPTION_KEY, bindingOf(ctx.org, id), logoutUrl),
  });
  return { cookie: cookieOf({ org: ctx.org, id, secret }), seconds };
}

/**
 * A token of a few minutes for the session behind a cookie. The role is the member's as it is now.
 * Raises `unauthorized` when the cookie is none of ours, its session has ended, or its owner may not come in any more.
 */
export async function exchangeCookie(
  ctx: Ctx,
  cookie: string,
): Promise<{ token: string; expires_at: string }> {
  const now = new Date();
  const opened = await sessionBehind(ctx, cookie);
  if (!opened || opened.end <= now) throw ended();
  const { inside, session } = opened;
  const member = await members(inside).findOne({ user_id: session.user_id, status: 'active' });
  const user = member && (await users(inside).findOne({ _id: member.user_id }));
  if (!user) throw ended();
  if (isSeenAgain(session.last_seen_at, now))
    await webSessions(inside).updateOne({ _id: session._id }, { $set: { last_seen_at: now } });
  const exp = tokenEnd(opened.end, now);
  const { role } = member;
  const claims = { sub: user._id, jti: session._id, org: inside.org, name: user.name, role };
  const token = await signToken(inside, { ...claims, scopes: scopesOf(role), kind: 'session', exp });
  return { token, expires_at: new Date(exp * 1000).toISOString() };
}

/** The session whose secret a cookie carries, in a context of its organization, and when it ends; null for none. */
async function sessionBehind(ctx: Ctx, cookie: string) {
  const parts = readCookie(cookie);
  if (!parts) return null;
  const inside = ctx.forOrganization(parts.org);
  const session = await webSessions(inside).findOne({ _id: parts.id });
  if (!session || !isSecretOf(parts.secret, session.secret_digest)) return null;
  return { inside, session, end: endOf(session, config(ctx).SESSION_IDLE_MINUTES) };
}

/** A session of the context's organization, or null. */
export async function findSession(ctx: Ctx, id: string): Promise<WebSessionDoc | null> {
  return await webSessions(ctx).findOne({ _id: id });
}

/**
 * Ends a session: its cookie and its tokens are worth nothing from now on, everywhere. Needs a transaction.
 * @returns where the browser ends its session with the provider too, or null
 */
export async function endSession(ctx: Ctx, id: string): Promise<string | null> {
  const session = await findSession(ctx, id);
  if (!session) return null;
  await webSessions(ctx).deleteOne({ _id: id });
  await revoke(ctx, id);
  const { logout_url: sealed } = session;
  const ring = config(ctx).KEY_ENCRYPTION_KEY;
  // A logout goes on without it when its key was taken out meanwhile.
  return sealed && ring.has(sealed.key_id) ? open(ring, bindingOf(ctx.org, id), sealed) : null;
}

/** Ends the session that a browser had before it signed in again, if it had one. Needs a transaction. */
export async function endFormerSession(ctx: Ctx, cookie: string | undefined): Promise<void> {
  const opened = cookie === undefined ? null : await sessionBehind(ctx, cookie);
  if (opened) await endSession(opened.inside, opened.session._id);
}

/** Ends all sessions of a user of the context's organization. Needs a transaction. */
export async function endSessionsOf(ctx: Ctx, userId: string): Promise<void> {
  const theirs = await webSessions(ctx).find({ user_id: userId });
  if (theirs.length === 0) return;
  await webSessions(ctx).deleteMany({ _id: trusted({ $in: theirs.map(({ _id }) => _id) }) });
  for (const { _id } of theirs) await revoke(ctx, _id);
}

async function revoke(ctx: Ctx, jti: string): Promise<void> {
  const data = { jti, expires_at: revokedUntil(new Date()).toISOString() };
  await ctx.emit(tokenRevoked, { subject: jti, seq: REVOKED_SEQ, data });
}

const ended = () => unauthorized('The session has ended: sign in again.');
const bindingOf = (org: string, id: string) => `${org}/${webSessionCollection.name}/${id}/logout_url`;
