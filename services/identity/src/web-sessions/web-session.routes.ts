import { clearCookie, type loginApi, SESSION_COOKIE } from '@muster/contracts';
import { type Handlers, ok } from '@muster/service-kit';
import { endSession, exchangeCookie } from './web-session.service.ts';

type SessionEndpoints = 'logout' | 'exchangeSession';

export const webSessionHandlers: Pick<Handlers<typeof loginApi>, SessionEndpoints> = {
  logout: async (ctx) => {
    const { via, tokenId } = ctx.actor;
    const url = via === 'session' && tokenId !== null ? await endSession(ctx, tokenId) : null;
    return { ...ok({ provider_logout_url: url }), headers: { 'set-cookie': [clearCookie(SESSION_COOKIE)] } };
  },
  exchangeSession: async (ctx, { body }) => {
    const answer = ok(await exchangeCookie(ctx, body.cookie));
    return { ...answer, headers: { 'cache-control': 'no-store' } };
  },
};
