import { type Ctx, work } from '@muster/service-kit';
import { z } from 'zod';
import type { FeedDoc } from './feed.model.ts';
import { paceOf } from './feed.rules.ts';
import { fetchFeed } from './fetch.service.ts';

/** Reads a feed, on its schedule or since somebody asks. */
export const feedFetching = work({
  kind: 'feed-fetch',
  payload: z.strictObject({ feed_id: z.uuidv7() }),
  attempts: 3,
  run: async (ctx, { feed_id }, { report }) => {
    const isThere = await fetchFeed(ctx, feed_id, { report, setSchedule });
    return isThere ? { href: `/api/threat-intel-feeds/${feed_id}/` } : null;
  },
});

const scheduleOf = (id: string) => `feed/${id}`;

/** Has a feed read at the pace that it deserves. @returns when next, null for never. Needs a transaction */
export async function setSchedule(
  ctx: Ctx,
  feed: Pick<FeedDoc, '_id' | 'enabled' | 'every_minutes' | 'consecutive_failures'>,
): Promise<Date | null> {
  const { _id, enabled, every_minutes, consecutive_failures } = feed;
  const next = await ctx.schedule(
    feedFetching,
    { feed_id: _id },
    { id: scheduleOf(_id), everyMinutes: paceOf(every_minutes, consecutive_failures), paused: !enabled },
  );
  return enabled ? next : null;
}

/** Has a feed not read any more. Needs a transaction. */
export async function endSchedule(ctx: Ctx, id: string): Promise<void> {
  await ctx.unschedule(scheduleOf(id));
}
