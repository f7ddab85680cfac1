import { intelItemIngested, replayRequested, settingsUpdated } from '@muster/contracts';
import { type Reaction, reaction } from '@muster/service-kit';
import { INTEL_REPLAY } from './replay.service.ts';
import { INTEL_RETENTION } from './retention.service.ts';

/** Someone rebuilds what they know of intelligence; the organization wants to keep it for another time. */
export const itemReactions: readonly Reaction[] = [
  reaction(replayRequested, async (ctx, { data }) => {
    if (data.types.includes(intelItemIngested.type)) await ctx.enqueue(INTEL_REPLAY, {});
  }),
  reaction(
    settingsUpdated,
    async (ctx, { data }) => {
      await ctx.enqueue(INTEL_RETENTION, { days: data.retention.intel_days });
    },
    { name: 'intel.retention' },
  ),
];
