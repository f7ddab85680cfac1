import { randomBytes } from 'node:crypto';
import type { ProviderId } from '@muster/contracts';
import type { Ctx } from '@muster/service-kit';
import { config } from '../config.ts';
import { identityOf, tenantAllowed } from '../providers/claims.rules.ts';
import { type Answer, authorizationUrl, newProof, redeem } from '../providers/provider.service.ts';
import type { ProviderSettings } from '../providers/provider.variables.ts';
import type { NewSession } from '../web-sessions/web-session.service.ts';
import { admit, type Guest } from './admission.service.ts';
import { keepAttempt, takeAttempt } from './attempt.service.ts';
import { LoginRefusal } from './refusal.rules.ts';
import { returnPath } from './return.rules.ts';

const BROWSER_SECRET = /^[\w-]{43}$/;

/** What a browser brings to the start of a login. */
export interface Start {
  return_to?: string | undefined;
  invite?: string | undefined;
  setup?: string | undefined;
}

/**
 * Begins a login.
 * @param browser the login cookie of one that is under way in another tab, so that both can end well
 * @returns where to send the browser, and its login cookie
 * Raises LoginRefusal, or `unavailable` when Redis is away.
 */
export async function startLogin(
  ctx: Ctx,
  id: ProviderId,
  start: Start,
  browser: string | undefined,
): Promise<{ location: string; browser: string }> {
  const provider = settingsOf(ctx, id);
  const proof = newProof();
  const location = await authorizationUrl(provider, callbackOf(ctx, id), proof);
  const secret = browser && BROWSER_SECRET.test(browser) ? browser : randomBytes(32).toString('base64url');
  const { state, nonce, verifier } = proof;
  const returnTo = returnPath(start.return_to, config(ctx).PUBLIC_ORIGIN);
  const { invite, setup } = start;
  await keepAttempt(
    ctx,
    { state, browser: secret },
    { provider: id, nonce, verifier, returnTo, invite, setup },
  );
  return { location, browser: secret };
}

/** What a browser brings back from a provider. */
export interface Return {
  query: Readonly<Record<string, unknown>>;
  /** Its login cookie. */
  browser: string | undefined;
  formerCookie: string | undefined;
  userAgent: string | undefined;
}

/**
 * Ends a login: the person is let in, or nothing has changed.
 * @returns where they wanted to go, and their new session
 * Raises LoginRefusal, or `unavailable` when Redis is away.
 */
export async function finishLogin(
  ctx: Ctx,
  id: ProviderId,
  back: Return,
): Promise<{ returnTo: string; session: NewSession }> {
  const provider = settingsOf(ctx, id);
  const { state } = back.query;
  const kept =
    typeof state === 'string' && back.browser !== undefined
      ? await takeAttempt(ctx, { state, browser: back.browser })
      : null;
  if (typeof state !== 'string' || !kept) throw new LoginRefusal('state-unknown');
  if (kept.provider !== id) throw new LoginRefusal('other-provider');
  const { nonce, verifier, invite, setup, returnTo } = kept;
  const home = `${config(ctx).PUBLIC_ORIGIN}/`;
  const answer = await redeem(provider, callbackOf(ctx, id, back.query), { state, nonce, verifier }, home);
  const { formerCookie, userAgent } = back;
  const entry: Guest['entry'] = { provider: id, logoutUrl: answer.logoutUrl, userAgent };
  const identity = personOf(provider, answer);
  return { returnTo, session: await admit(ctx, { identity, invite, setup, formerCookie, entry }) };
}

function personOf(provider: ProviderSettings, { token, userInfo }: Answer) {
  if (!tenantAllowed(provider, token)) throw new LoginRefusal('tenant-not-allowed');
  const identity = identityOf(provider, token, userInfo);
  if (!identity) throw new LoginRefusal('provider-answer', 'no-subject');
  return identity;
}

function settingsOf(ctx: Ctx, id: ProviderId): ProviderSettings {
  const found = config(ctx).PROVIDERS.find((provider) => provider.id === id);
  if (!found) throw new LoginRefusal('not-set-up');
  return found;
}

/** Our own address that a provider leads back to: never what a request claims to have come by. */
function callbackOf(ctx: Ctx, id: ProviderId, query: Return['query'] = {}): URL {
  const url = new URL(`/auth/${id}/callback`, config(ctx).PUBLIC_ORIGIN);
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(one));
  }
  return url;
}
