import { AppError, type Ctx, type WorkProgress } from '@muster/service-kit';
import type { Reading } from '../formats/reading.rules.ts';
import { type KeepResult, keepAll } from '../items/keep.service.ts';
import { readSource } from '../sources/source.service.ts';
import { authHeaders, type Condition, conditionOf, resealed } from './condition.service.ts';
import { type FeedDoc, feeds } from './feed.model.ts';

type Progress = Pick<WorkProgress, 'report'>;
/** Says when a feed is read next, null for never. */
type SetSchedule = (ctx: Ctx, feed: FeedDoc) => Promise<Date | null>;

/** How a reading went, and what the source calls its answer. */
interface Outcome extends Omit<Condition, 'unchanged'> {
  read_until: string | null;
  fetch: Omit<NonNullable<FeedDoc['last_fetch']>, 'at'>;
}

const NO_ITEMS = { new: 0, updated: 0, known: 0 };

/**
 * Reads a feed, keeps what it says, and notes how it went; a source that fails is no failure of the job. A feed that
 * was removed meanwhile is left alone. @returns whether it was there
 */
export async function fetchFeed(
  ctx: Ctx,
  id: string,
  { report, setSchedule }: Progress & { setSchedule: SetSchedule },
): Promise<boolean> {
  const feed = await feeds(ctx).findOne({ _id: id });
  if (!feed) return false;
  const outcome = await attempted(ctx, feed, { report });
  await ctx.inTransaction((inside) => note(inside, feed, outcome, setSchedule));
  return true;
}

async function attempted(ctx: Ctx, feed: FeedDoc, progress: Progress): Promise<Outcome> {
  try {
    return await read(ctx, feed, progress);
  } catch (error) {
    ctx.signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    const fetch = { ok: false, unchanged: false, items: NO_ITEMS, error: error.message };
    return { fetch, etag: null, last_modified: null, read_until: feed.read_until };
  }
}

async function read(ctx: Ctx, feed: FeedDoc, progress: Progress): Promise<Outcome> {
  await progress.report(0, null, 'Asking the source');
  const headers = authenticated(ctx, feed);
  const { unchanged, ...named } = await conditionOf(ctx, feed, headers);
  if (unchanged) {
    const { etag, last_modified, read_until } = feed;
    return { fetch: { ok: true, unchanged, items: NO_ITEMS, error: null }, etag, last_modified, read_until };
  }
  const { readings, until } = await readSource(ctx, feed.url, { headers, since: feed.read_until });
  requireFormat(feed, readings);
  const { url, tags, tlp } = feed;
  const kept = await keepAll(ctx, readings, { asked: [url], tags, tlp: tlp ?? undefined, progress });
  const items = counted(kept);
  const fetch = { ok: true, unchanged: false, items, error: null };
  // Some sources are read in several goes: one is done with when it holds nothing new.
  const done = items.new + items.updated === 0;
  return { fetch, read_until: until, ...(done ? named : { etag: null, last_modified: null }) };
}

function authenticated(ctx: Ctx, feed: FeedDoc): Record<string, string> {
  try {
    return authHeaders(ctx, feed);
  } catch {
    throw new AppError(
      'bad-gateway',
      'The stored credentials cannot be opened any more: send them again with a change of the feed.',
    );
  }
}

function requireFormat({ format }: FeedDoc, readings: readonly Reading[]): void {
  const other = format !== null && readings.find((reading) => reading.format !== format);
  if (other)
    throw new AppError('bad-gateway', `The source holds ${other.format} where ${format} was expected.`);
}

function counted(kept: readonly KeepResult[]): typeof NO_ITEMS {
  const count = (wanted: KeepResult['outcome']) => kept.filter(({ outcome }) => outcome === wanted).length;
  return { new: count('created'), updated: count('updated'), known: count('known') };
}

/** Notes how a reading went, and sets the pace. What a person changed meanwhile is read anew and noted then. */
async function note(
  ctx: Ctx,
  feed: FeedDoc,
  { fetch, ...named }: Outcome,
  setSchedule: SetSchedule,
): Promise<void> {
  const { _id, version } = feed;
  const current = await feeds(ctx).findOne({ _id, version });
  if (!current) return;
  const at = new Date();
  const consecutive_failures = fetch.ok ? 0 : current.consecutive_failures + 1;
  const next_fetch_at = await setSchedule(ctx, { ...current, consecutive_failures });
  await feeds(ctx).updateOne(
    { _id, version },
    {
      $set: {
        ...named,
        consecutive_failures,
        next_fetch_at,
        auth: resealed(ctx, current),
        last_fetch: { at, ...fetch },
        ...(fetch.ok && { last_success_at: at }),
      },
    },
  );
}
