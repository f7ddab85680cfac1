import { type Ctx, work } from '@muster/service-kit';
import { z } from 'zod';
import { EVENT_TRIAGE, triageGroup } from './triage.service.ts';

/** Triages an event together with all that are like it. */
export const eventTriage = work({
  kind: EVENT_TRIAGE,
  payload: z.strictObject({ event_id: z.uuidv7() }),
  run: async (ctx: Ctx, { event_id }, { jobId }) => {
    await triageGroup(ctx, event_id, jobId);
    return { href: `/api/events/${event_id}/triage/` };
  },
});
