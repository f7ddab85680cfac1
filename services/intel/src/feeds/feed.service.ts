import type { Feed, FeedAuth, FeedInput, FeedPatch, List } from '@muster/contracts';
import {
  AppError,
  type Ctx,
  checkedUrl,
  invalid,
  isDuplicateKey,
  listPage,
  lostRace,
  seal,
} from '@muster/service-kit';
import { v7 } from 'uuid';
import { config } from '../config.ts';
import { sourcePolicy } from '../sources/request.service.ts';
import { authBinding } from './condition.service.ts';
import { endSchedule, feedFetching, setSchedule } from './feed.jobs.ts';
import { type FeedDoc, feeds, toFeed } from './feed.model.ts';

/** One page of the organization's feeds, the latest first. */
export async function listFeeds(
  ctx: Ctx,
  query: { limit: number; cursor?: string | undefined },
): Promise<List<Feed>> {
  return await listPage(ctx, feeds(ctx), { name: 'feeds', filter: {}, query, item: toFeed });
}

/** A feed of the caller's organization. Raises `not-found`. */
export async function findFeed(ctx: Ctx, id: string): Promise<FeedDoc> {
  const found = await feeds(ctx).findOne({ _id: id });
  if (!found) throw new AppError('not-found', 'There is no feed with this id.');
  return found;
}

/**
 * Adds a feed, and has it read at once and from then on. Needs a transaction. Raises `url-not-allowed`, and `conflict`
 * where this address is read already.
 */
export async function createFeed(ctx: Ctx, { auth, ...input }: FeedInput): Promise<FeedDoc> {
  const _id = v7();
  const { href: url, host } = checkedUrl(input.url, sourcePolicy(ctx)).url;
  const now = new Date();
  const feed: Omit<FeedDoc, 'org_id'> = {
    ...input,
    _id,
    url,
    name: input.name ?? host,
    auth: sealed(ctx, _id, auth),
    etag: null,
    last_modified: null,
    read_until: null,
    last_fetch: null,
    last_success_at: null,
    consecutive_failures: 0,
    version: 1,
    created_at: now,
    updated_at: now,
    next_fetch_at: await setSchedule(ctx, { ...input, _id, consecutive_failures: 0 }),
  };
  const stored = await unlessTaken(() => feeds(ctx).insert(feed));
  if (stored.enabled) await ctx.enqueue(feedFetching, { feed_id: _id });
  return stored;
}

/**
 * Changes a feed; what is left out stays. What its source said before is asked for again. Needs a transaction. Raises
 * as {@link createFeed}, `not-found`, and a 422 where credentials would go to another host.
 */
export async function changeFeed(ctx: Ctx, id: string, patch: FeedPatch): Promise<FeedDoc> {
  const before = await findFeed(ctx, id);
  const { auth, url: asked, ...fields } = patch;
  const url = asked === undefined ? before.url : checkedUrl(asked, sourcePolicy(ctx)).url.href;
  if (before.auth && auth === undefined && new URL(url).origin !== new URL(before.url).origin)
    throw invalid([{ path: '/auth', code: 'required', message: CREDENTIALS_STAY, in: 'body' }]);
  const next = {
    ...fields,
    url,
    ...(auth !== undefined && { auth: sealed(ctx, id, auth) }),
    // Nobody is to wait for a day after having mended what was wrong.
    etag: null,
    last_modified: null,
    read_until: null,
    consecutive_failures: 0,
    version: before.version + 1,
    updated_at: new Date(),
  };
  const next_fetch_at = await setSchedule(ctx, { ...before, ...next });
  const changed = await unlessTaken(() =>
    feeds(ctx).findOneAndUpdate({ _id: id, version: before.version }, { $set: { ...next, next_fetch_at } }),
  );
  if (!changed) throw lostRace();
  if (changed.enabled && SOURCE_FIELDS.some((field) => field in patch))
    await ctx.enqueue(feedFetching, { feed_id: id });
  return changed;
}

/** What decides over what is read: changed, it is tried at once. */
const SOURCE_FIELDS = ['url', 'auth', 'format', 'tags', 'tlp'] as const;
const CREDENTIALS_STAY = 'another host does not get the credentials of this one: send its own, or null';

/** Takes a feed away; what was read stays. Needs a transaction. Raises `not-found`. */
export async function removeFeed(ctx: Ctx, id: string): Promise<void> {
  await findFeed(ctx, id);
  await feeds(ctx).deleteOne({ _id: id });
  await endSchedule(ctx, id);
}

/** Leaves reading a feed now to a job. @returns its id. Raises `not-found` */
export async function startFetch(ctx: Ctx, id: string): Promise<string> {
  await findFeed(ctx, id);
  return await ctx.enqueue(feedFetching, { feed_id: id });
}

function sealed(ctx: Ctx, id: string, auth: FeedAuth | null): FeedDoc['auth'] {
  if (auth === null) return null;
  const [username, secret] = auth.type === 'basic' ? [auth.username, auth.password] : [null, auth.token];
  const { KEY_ENCRYPTION_KEY } = config(ctx);
  return { type: auth.type, username, secret: seal(KEY_ENCRYPTION_KEY, authBinding(ctx, id), secret) };
}

async function unlessTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new AppError('conflict', 'This address is read as a feed already: change that one.');
  }
}
