import { memberChanged, replayRequested } from '@muster/contracts';
import { type Reaction, reaction } from '@muster/service-kit';
import { announceAll } from './member.service.ts';

/** Someone rebuilds a read model of members: they get all of the organization's again. */
export const memberReactions: readonly Reaction<never>[] = [
  reaction(replayRequested, async (ctx, { data }) => {
    if (data.types.includes(memberChanged.type)) await announceAll(ctx);
  }),
];
