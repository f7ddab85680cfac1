import { replayRequested, tokenRevoked, tokenUses } from '@muster/contracts';
import { reaction } from '@muster/service-kit';
import { announceRevocations } from './token.service.ts';
import { noteUse } from './use.service.ts';

/** Every service tells which tokens are used with it; a new one asks which are revoked. */
export const tokenReactions = {
  tokenUses: reaction(tokenUses, (ctx, { data }) => noteUse(ctx, data)),
  replayRequested: reaction(
    replayRequested,
    async (ctx, { data }) => {
      if (data.types.includes(tokenRevoked.type)) await announceRevocations(ctx);
    },
    { name: 'tokens.replay' },
  ),
};
