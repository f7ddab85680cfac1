import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { job } from '../../core/job.ts';
import { listOf, page } from '../../core/lists.ts';
import { id } from '../../core/primitives.ts';
import { feed, feedInput, feedPatch } from './feed.schemas.ts';

const params = z.object({ id: id.meta({ description: 'id of the feed' }) });

export const feedsApi = api({
  service: 'intel',
  tag: 'Feeds',
  about: 'Sources of threat intelligence that are read on a schedule.',
  endpoints: {
    createFeed: endpoint({
      method: 'POST',
      path: '/api/threat-intel-feeds/',
      summary: 'Read a source again and again',
      description:
        'The first time at once, then on its schedule. A source that fails is asked ever more rarely, at least once a day, and at its usual pace once it answers. Credentials are kept sealed and never shown. 422 `url-not-allowed` for what is not a public https address.',
      role: 'facilitator',
      scope: 'intel:write',
      body: feedInput,
      responses: { 201: feed },
    }),
    listFeeds: endpoint({
      method: 'GET',
      path: '/api/threat-intel-feeds/',
      summary: 'List the sources that are read on a schedule, and how the last reading went',
      description:
        'Newest first. `last_fetch` says when each was read, what came of it and, where it failed, why; credentials are never shown.',
      role: 'viewer',
      scope: 'intel:read',
      query: z.strictObject(page),
      responses: { 200: listOf(feed) },
    }),
    getFeed: endpoint({
      method: 'GET',
      path: '/api/threat-intel-feeds/{id}/',
      summary: 'Return one source that is read on a schedule',
      description: 'With its schedule, when it is due next, and how the last reading went.',
      role: 'viewer',
      scope: 'intel:read',
      params,
      responses: { 200: feed },
    }),
    changeFeed: endpoint({
      method: 'PATCH',
      path: '/api/threat-intel-feeds/{id}/',
      summary: 'Change a source, its schedule or its credentials',
      description:
        'What is left out stays. A change of host takes its credentials along only if they are sent.',
      role: 'facilitator',
      scope: 'intel:write',
      params,
      body: feedPatch,
      responses: { 200: feed },
    }),
    removeFeed: endpoint({
      method: 'DELETE',
      path: '/api/threat-intel-feeds/{id}/',
      summary: 'Stop reading a source; what was read stays',
      description:
        'Ends its schedule and forgets its credentials. The items that it brought stay, and can be removed by themselves.',
      role: 'facilitator',
      scope: 'intel:write',
      params,
      responses: { 204: null },
    }),
    fetchFeed: endpoint({
      method: 'POST',
      path: '/api/threat-intel-feeds/{id}/fetch/',
      summary: 'Read a source now',
      description: 'Answers the feed; `last_fetch` says how it went, also when the source failed.',
      role: 'facilitator',
      scope: 'intel:write',
      params,
      delivery: 'queue',
      responses: { 200: feed, 202: job },
    }),
  },
});
