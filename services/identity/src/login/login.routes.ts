import {
  clearCookie,
  LOGIN_COOKIE,
  type loginApi,
  type ProviderId,
  SESSION_COOKIE,
  setCookie,
} from '@muster/contracts';
import { type Caller, type Ctx, type Handlers, page, redirect } from '@muster/service-kit';
import { config } from '../config.ts';
import { partsOf } from '../invites/invite.rules.ts';
import { findInvite } from '../invites/invite.service.ts';
import { isSetupToken } from '../setup/setup.service.ts';
import { webSessionHandlers } from '../web-sessions/web-session.routes.ts';
import { LOGIN_SECONDS } from './login.rules.ts';
import { finishLogin, type Return, type Start, startLogin } from './login.service.ts';
import { choicePage, invitePage, refusalPage, setupPage } from './page.texts.ts';
import { LoginRefusal } from './refusal.rules.ts';
import { REFUSALS } from './refusal.texts.ts';

/** Every 401 carries one. */
const CHALLENGE = { 'www-authenticate': 'Bearer' };

export const loginHandlers: Handlers<typeof loginApi> = {
  ...webSessionHandlers,
  loginWithA: (ctx, { query, caller }) => login(ctx, 'provider-a', query, caller),
  loginWithB: (ctx, { query, caller }) => login(ctx, 'provider-b', query, caller),
  callbackFromA: (ctx, { query, caller }) => callback(ctx, 'provider-a', query, caller),
  callbackFromB: (ctx, { query, caller }) => callback(ctx, 'provider-b', query, caller),
  chooseProvider: async (ctx, { query }) => page(200, choicePage(config(ctx).PROVIDERS, query)),
  showInvite: async (ctx, { query: { token } }) => {
    const invitation = await findInvite(ctx, token);
    if (!invitation) return page(403, failurePage(ctx, new LoginRefusal('invite')));
    return page(200, invitePage(config(ctx).PROVIDERS, token, invitation));
  },
  showSetup: async (ctx, { query: { token } }) => {
    if (!(await isSetupToken(ctx, token))) return page(403, failurePage(ctx, new LoginRefusal('setup')));
    return page(200, setupPage(config(ctx).PROVIDERS, token));
  },
};

async function login(ctx: Ctx, id: ProviderId, query: Start, { cookies }: Caller) {
  if (query.invite !== undefined && partsOf(query.invite) === null)
    return page(403, failurePage(ctx, new LoginRefusal('invite'), id));
  try {
    const { location, browser } = await startLogin(ctx, id, query, cookies[LOGIN_COOKIE]);
    return redirect(location, [setCookie(LOGIN_COOKIE, browser, LOGIN_SECONDS)]);
  } catch (error) {
    if (!(error instanceof LoginRefusal)) throw error;
    return page(400, failurePage(ctx, error, id));
  }
}

async function callback(ctx: Ctx, id: ProviderId, query: Return['query'], caller: Caller) {
  const { cookies, userAgent } = caller;
  const back = { query, userAgent, browser: cookies[LOGIN_COOKIE], formerCookie: cookies[SESSION_COOKIE] };
  try {
    const { returnTo, session } = await finishLogin(ctx, id, back);
    return redirect(returnTo, [
      setCookie(SESSION_COOKIE, session.cookie, session.seconds),
      clearCookie(LOGIN_COOKIE),
    ]);
  } catch (error) {
    if (!(error instanceof LoginRefusal)) throw error;
    const answer = page(REFUSALS[error.reason][0], failurePage(ctx, error, id));
    return { ...answer, headers: { ...answer.headers, ...(answer.status === 401 && CHALLENGE) } };
  }
}

/** The page of a login that failed; the log knows the reason too. */
function failurePage(ctx: Ctx, { reason, code }: LoginRefusal, provider?: ProviderId): string {
  ctx.log.info({ reason, code, provider, address: ctx.address }, 'a login failed');
  return refusalPage(reason);
}
