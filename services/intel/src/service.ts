import { draftsApi, feedsApi, intelItemsApi, intelSubscriptions } from '@muster/contracts';
import { aiCollections, defineService, reactionsTo, routes } from '@muster/service-kit';
import { config } from './config.ts';
import { draftReactions } from './drafts/draft.consumers.ts';
import { scenarioDrafting } from './drafts/draft.jobs.ts';
import { draftCollection } from './drafts/draft.model.ts';
import { draftHandlers } from './drafts/draft.routes.ts';
import { feedFetching } from './feeds/feed.jobs.ts';
import { feedCollection } from './feeds/feed.model.ts';
import { feedHandlers } from './feeds/feed.routes.ts';
import { itemReactions } from './items/item.consumers.ts';
import { itemIngest, itemReplay, itemRetention } from './items/item.jobs.ts';
import { itemCollection, itemTextCollection } from './items/item.model.ts';
import { itemHandlers } from './items/item.routes.ts';
import { profileReactions } from './profiles/profile.consumers.ts';
import { profileCollection } from './profiles/profile.model.ts';

/** Threat intelligence: what sources say, read into what the other services can use. */
export const intel = defineService({
  name: 'intel',
  config,
  collections: [
    itemCollection,
    itemTextCollection,
    feedCollection,
    draftCollection,
    profileCollection,
    ...aiCollections,
  ],
  routes: [
    routes(intelItemsApi, itemHandlers),
    routes(feedsApi, feedHandlers),
    routes(draftsApi, draftHandlers),
  ],
  reactions: reactionsTo(intelSubscriptions, {
    replayRequested: [itemReactions.replayRequested],
    scenarioPublished: [draftReactions.scenarioPublished],
    profileUpdated: [profileReactions.profileUpdated],
    settingsUpdated: [itemReactions.settingsUpdated],
  }),
  work: [itemIngest, itemReplay, itemRetention, feedFetching, scenarioDrafting],
});
