import type { identityApi } from '@muster/contracts';
import { created, type Handlers, noContent, ok } from '@muster/service-kit';
import { toToken } from './token.model.ts';
import { createToken, findToken, listTokens, revokeToken } from './token.service.ts';

type TokenEndpoints = 'listTokens' | 'getToken' | 'createToken' | 'revokeToken';

export const tokenHandlers: Pick<Handlers<typeof identityApi>, TokenEndpoints> = {
  listTokens: async (ctx, { query }) => ok(await listTokens(ctx, query)),
  getToken: async (ctx, { params }) => ok(toToken(await findToken(ctx, params.id))),
  createToken: async (ctx, { body }) => {
    const { doc, token } = await createToken(ctx, body);
    return created({ ...toToken(doc), token }, `/auth/tokens/${doc._id}/`);
  },
  revokeToken: async (ctx, { params }) => {
    await revokeToken(ctx, params.id);
    return noContent();
  },
};
