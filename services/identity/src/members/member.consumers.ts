import { accessChanged, memberChanged, replayRequested } from '@muster/contracts';
import { reaction } from '@muster/service-kit';
import { announceAll, announceAllAccess } from './announcement.service.ts';

/** Someone rebuilds a read model of members or of their access: they get all of the organization's again. */
export const memberReactions = {
  replayRequested: reaction(replayRequested, async (ctx, { data }) => {
    if (data.types.includes(memberChanged.type)) await announceAll(ctx);
    if (data.types.includes(accessChanged.type)) await announceAllAccess(ctx);
  }),
};
