import { sessionCompleted } from '@muster/contracts';
import { type Reaction, reaction } from '@muster/service-kit';
import { noteArrival } from './arrival.service.ts';
import { gapSettling } from './gap.jobs.ts';

/** Completed sessions open and close gaps. */
export const gapReactions: readonly Reaction<never>[] = [
  reaction(sessionCompleted, (ctx, event) => noteArrival(ctx, event, gapSettling.kind), {
    name: 'gaps',
    order: 'organization',
  }),
];
