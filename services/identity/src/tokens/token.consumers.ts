import { replayRequested, tokenRevoked, tokenUses } from '@muster/contracts';
import { type Reaction, reaction } from '@muster/service-kit';
import { announceRevocations } from './token.service.ts';
import { noteUse } from './use.service.ts';

/** Every service tells which tokens are used with it; a new one asks which are revoked. */
export const tokenReactions: readonly Reaction[] = [
  ...tokenUses.map((used) => reaction(used, (ctx, { data }) => noteUse(ctx, data))),
  reaction(
    replayRequested,
    async (ctx, { data }) => {
      if (data.types.includes(tokenRevoked.type)) await announceRevocations(ctx);
    },
    { name: 'tokens.replay' },
  ),
];
