import { type Ctx, work } from '@muster/service-kit';
import { z } from 'zod';
import { FEED_FETCH } from './feed.service.ts';
import { fetchFeed } from './fetch.service.ts';

/** Reads a feed, on its schedule or since somebody asks. */
export const feedFetching = work({
  kind: FEED_FETCH,
  payload: z.strictObject({ feed_id: z.uuidv7() }),
  attempts: 3,
  run: async (ctx: Ctx, { feed_id }, progress) => {
    const isThere = await fetchFeed(ctx, feed_id, progress);
    return isThere ? { href: `/api/threat-intel-feeds/${feed_id}/` } : null;
  },
});
