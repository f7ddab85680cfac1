import type { identityApi } from '@muster/contracts';
import { type Handlers, ok } from '@muster/service-kit';
import { toJwk } from './key.model.ts';
import { JWKS_MAX_AGE_S } from './key.rules.ts';
import { publishedKeys } from './key.service.ts';

export const keyHandlers: Pick<Handlers<typeof identityApi>, 'getJwks'> = {
  getJwks: async (ctx) => {
    const answer = ok({ keys: (await publishedKeys(ctx)).map(toJwk) });
    return { ...answer, headers: { 'cache-control': `public, max-age=${JWKS_MAX_AGE_S}` } };
  },
};
