import { type Ctx, guardedFetch, open, rewrap } from '@muster/service-kit';
import { config } from '../config.ts';
import { sourcePolicy } from '../sources/request.service.ts';
import { isTaxii } from '../sources/taxii.service.ts';
import type { FeedDoc } from './feed.model.ts';

/** What a source calls its present answer. */
export interface Condition {
  /** Whether it is still the one that was read last. */
  unchanged: boolean;
  etag: string | null;
  last_modified: string | null;
}

const UNKNOWN: Condition = { unchanged: false, etag: null, last_modified: null };
const MAX_NAME = 500;

/** What a feed's credentials are bound to. */
export const authBinding = ({ org }: Pick<Ctx, 'org'>, id: string) => `${org}/feeds/${id}.auth`;

/** The headers by which a source knows its reader. Raises when the credentials' key is gone. */
export function authHeaders(ctx: Ctx, { _id, auth }: FeedDoc): Record<string, string> {
  if (auth === null) return {};
  const secret = open(config(ctx).KEY_ENCRYPTION_KEY, authBinding(ctx, _id), auth.secret);
  if (auth.type === 'bearer') return { authorization: `Bearer ${secret}` };
  const pair = Buffer.from(`${auth.username}:${secret}`, 'utf8').toString('base64');
  return { authorization: `Basic ${pair}` };
}

/** A feed's credentials under the newest key-encryption key, so that older ones can go; as they are where theirs is gone. */
export function resealed(ctx: Ctx, { _id, auth }: FeedDoc): FeedDoc['auth'] {
  try {
    return (
      auth && { ...auth, secret: rewrap(config(ctx).KEY_ENCRYPTION_KEY, authBinding(ctx, _id), auth.secret) }
    );
  } catch {
    return auth;
  }
}

/**
 * Asks a source, before it is read, whether anything changed since (RFC 9110, section 13). What it says is from before
 * the reading, so nothing that changes meanwhile is missed. One that does not answer is read anyway.
 */
export async function conditionOf(
  ctx: Ctx,
  feed: FeedDoc,
  headers: Record<string, string>,
): Promise<Condition> {
  // A collection's own address says nothing of the objects in it.
  if (isTaxii(feed.url)) return UNKNOWN;
  try {
    const answer = await guardedFetch(feed.url, {
      method: 'HEAD',
      policy: sourcePolicy(ctx),
      signal: ctx.signal,
      headers: {
        ...headers,
        ...(feed.etag && { 'if-none-match': feed.etag }),
        ...(feed.last_modified && { 'if-modified-since': feed.last_modified }),
      },
    });
    if (answer.status === 304) return { ...UNKNOWN, unchanged: true };
    if (answer.status !== 200) return UNKNOWN;
    const [etag, last_modified] = ['etag', 'last-modified'].map((name) => short(answer.headers.get(name)));
    return { unchanged: false, etag: etag ?? null, last_modified: last_modified ?? null };
  } catch {
    ctx.signal.throwIfAborted();
    return UNKNOWN;
  }
}

const short = (name: string | null) => (name !== null && name.length <= MAX_NAME ? name : null);
