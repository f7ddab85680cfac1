import type { feedsApi } from '@muster/contracts';
import { created, type Handlers, noContent, ok, queued } from '@muster/service-kit';
import { toFeed } from './feed.model.ts';
import { changeFeed, createFeed, findFeed, listFeeds, removeFeed, startFetch } from './feed.service.ts';

export const feedHandlers: Handlers<typeof feedsApi> = {
  createFeed: async (ctx, { body }) => {
    const feed = await createFeed(ctx, body);
    return created(toFeed(feed), `/api/threat-intel-feeds/${feed._id}/`);
  },
  listFeeds: async (ctx, { query }) => ok(await listFeeds(ctx, query)),
  getFeed: async (ctx, { params }) => ok(toFeed(await findFeed(ctx, params.id))),
  changeFeed: async (ctx, { params, body }) => ok(toFeed(await changeFeed(ctx, params.id, body))),
  removeFeed: async (ctx, { params }) => {
    await removeFeed(ctx, params.id);
    return noContent();
  },
  fetchFeed: async (ctx, { params }) => queued(await startFetch(ctx, params.id)),
};
