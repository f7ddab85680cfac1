import { intelItemIngested, replayRequested, settingsUpdated } from '@muster/contracts';
import { reaction } from '@muster/service-kit';
import { itemReplay, itemRetention } from './item.jobs.ts';

/** Someone rebuilds what they know of intelligence; the organization wants to keep it for another time. */
export const itemReactions = {
  replayRequested: reaction(replayRequested, async (ctx, { data }) => {
    if (data.types.includes(intelItemIngested.type)) await ctx.enqueue(itemReplay, {});
  }),
  settingsUpdated: reaction(
    settingsUpdated,
    async (ctx, { data }) => {
      await ctx.enqueue(itemRetention, { days: data.retention.intel_days });
    },
    { name: 'intel.retention' },
  ),
};
