import type { Triage } from '@muster/contracts';
import { type Ctx, work } from '@muster/service-kit';
import { z } from 'zod';
import { triageGroup, validTriage } from './triage.service.ts';

/** Triages an event together with all that are like it. */
export const eventTriage = work({
  kind: 'event-triage',
  payload: z.strictObject({ event_id: z.uuidv7() }),
  run: async (ctx, { event_id }, { jobId }) => {
    await triageGroup(ctx, event_id, jobId);
    return { href: `/api/events/${event_id}/triage/` };
  },
});

/** Leaves the triage of an event's group to a job, or answers the one it has. Raises `not-found`. */
export async function startTriage(ctx: Ctx, event_id: string): Promise<{ job: string } | { triage: Triage }> {
  const triage = await validTriage(ctx, event_id);
  return triage ? { triage } : { job: await ctx.enqueue(eventTriage, { event_id }) };
}
