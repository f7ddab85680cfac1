import type { Feed, FeedAuth, IntelFormat, TlpLabel } from '@muster/contracts';
import { collection, Mixed, repository, type SealedSecret, type Stored } from '@muster/service-kit';
import { noticeOf, statusOf } from './feed.rules.ts';

/** How the last reading went. */
interface LastFetch extends Omit<NonNullable<Feed['last_fetch']>, 'at'> {
  at: Date;
}

export interface FeedDoc extends Stored {
  name: string;
  url: string;
  every_minutes: number;
  format: IntelFormat | null;
  tags: string[];
  tlp: TlpLabel | null;
  enabled: boolean;
  auth: { type: FeedAuth['type']; username: string | null; secret: SealedSecret } | null;
  /** What the source's last answer was called; it is asked for what is newer. */
  etag: string | null;
  last_modified: string | null;
  /** Where the last reading of a source ended that is too large to be read at once. */
  read_until: string | null;
  last_fetch: LastFetch | null;
  last_success_at: Date | null;
  consecutive_failures: number;
  next_fetch_at: Date | null;
  /** Grows with each change by a person. */
  version: number;
  created_at: Date;
  updated_at: Date;
}

const required = <T>(type: T) => ({ type, required: true });

export const feedCollection = collection<FeedDoc>({
  name: 'intel_feeds',
  fields: {
    name: required(String),
    url: required(String),
    every_minutes: required(Number),
    format: { type: String, default: null },
    tags: [String],
    tlp: { type: String, default: null },
    enabled: required(Boolean),
    auth: { type: Mixed, default: null },
    etag: { type: String, default: null },
    last_modified: { type: String, default: null },
    read_until: { type: String, default: null },
    last_fetch: { type: Mixed, default: null },
    last_success_at: { type: Date, default: null },
    consecutive_failures: required(Number),
    next_fetch_at: { type: Date, default: null },
    version: required(Number),
    created_at: required(Date),
    updated_at: required(Date),
  },
  indexes: [[{ org_id: 1, url: 1 }, { unique: true }], [{ org_id: 1, _id: -1 }]],
});

export const feeds = repository(feedCollection);

/** A feed as people see it: of its credentials only what kind they are, and for whom. */
export function toFeed(doc: FeedDoc): Feed {
  const { name, url, every_minutes, format, tags, tlp, enabled, auth, consecutive_failures, version } = doc;
  const { last_fetch, last_success_at, next_fetch_at, created_at, updated_at } = doc;
  return {
    ...{ id: doc._id, name, url, every_minutes, format, tags, tlp, enabled, consecutive_failures, version },
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
