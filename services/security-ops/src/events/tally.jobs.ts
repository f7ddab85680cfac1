import { type Ctx, gatheredWork } from '@muster/service-kit';
import { sumUp, tellOpen } from './tally.service.ts';

const DAILY = 24 * 60;

/** Keeps the counts of an organization's events few and others told of them; daily too, since events expire. */
export const eventCounting = gatheredWork({
  kind: 'event-counting',
  settle: async (ctx: Ctx) => {
    if (await sumUp(ctx)) return true;
    const isFirst = await tellOpen(ctx);
    if (isFirst) await ctx.schedule(eventCounting, {}, { id: eventCounting.kind, everyMinutes: DAILY });
    return false;
  },
});
