import type { Feed, FeedAuth, IntelFormat, TlpLabel } from '@muster/contracts';
import {
  collection,
  list,
  Mixed,
  nullable,
  type RowOf,
  repository,
  required,
  type SealedSecret,
} from '@muster/service-kit';
import { noticeOf, statusOf } from './feed.rules.ts';

/** How the last reading went. */
interface LastFetch extends Omit<NonNullable<Feed['last_fetch']>, 'at'> {
  at: Date;
}

export const feedCollection = collection({
  name: 'intel_feeds',
  fields: {
    name: required(String),
    url: required(String),
    every_minutes: required(Number),
    format: nullable<IntelFormat>(String),
    tags: list(String),
    tlp: nullable<TlpLabel>(String),
    enabled: required(Boolean),
    auth: nullable<{ type: FeedAuth['type']; username: string | null; secret: SealedSecret }>(Mixed),
    /** What the source's last answer was called; it is asked for what is newer. */
    etag: nullable(String),
    last_modified: nullable(String),
    /** Where the last reading of a source ended that is too large to be read at once. */
    read_until: nullable(String),
    last_fetch: nullable<LastFetch>(Mixed),
    last_success_at: nullable(Date),
    consecutive_failures: required(Number),
    next_fetch_at: nullable(Date),
    /** Grows with each change by a person. */
    version: required(Number),
    created_at: required(Date),
    updated_at: required(Date),
  },
  indexes: [[{ org_id: 1, url: 1 }, { unique: true }], [{ org_id: 1, _id: -1 }]],
});
export type FeedDoc = RowOf<typeof feedCollection>;

export const feeds = repository(feedCollection);

/** A feed as people see it: of its credentials only what kind they are, and for whom. */
export function toFeed(doc: FeedDoc): Feed {
  const { name, url, every_minutes, format, tags, tlp, enabled, auth, consecutive_failures, version } = doc;
  const { last_fetch, last_success_at, next_fetch_at, created_at, updated_at } = doc;
  return {
    id: doc._id,
    name,
    url,
    every_minutes,
    format,
    tags,
    tlp,
    enabled,
    consecutive_failures,
    version,
    auth: auth && { type: auth.type, username: auth.username },
    status: statusOf(doc),
    notice: noticeOf(doc),
    last_fetch: last_fetch && { ...last_fetch, at: last_fetch.at.toISOString() },
    last_success_at: last_success_at?.toISOString() ?? null,
    next_fetch_at: next_fetch_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
