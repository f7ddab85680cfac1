import { sessionCompleted } from '@muster/contracts';
import { type Reaction, reaction } from '@muster/service-kit';
import { noteArrival } from './arrival.service.ts';
import { gapSettling } from './gap.jobs.ts';

/** Completed sessions open and close gaps. */
export const gapReactions: readonly Reaction[] = [
  reaction(
    sessionCompleted,
    async (ctx, event) => {
      if (await noteArrival(ctx, event)) await gapSettling.order(ctx);
    },
    { name: 'gaps', order: 'organization' },
  ),
];
