import { sessionCompleted } from '@muster/contracts';
import { batchReaction } from '@muster/service-kit';
import { settleSessions } from './settling.service.ts';

/** Completed sessions open and close gaps. */
export const gapReactions = {
  sessionCompleted: batchReaction(
    sessionCompleted,
    (ctx, events) =>
      settleSessions(
        ctx,
        events.map(({ data }) => data.session_id),
      ),
    { name: 'gaps', order: 'organization' },
  ),
};
