import { accessChanged, type accessEvents, type Role, tokenRevoked } from '@muster/contracts';
import { optional } from '../mongo/fields.ts';
import { collection, type RowOf } from '../mongo/model.ts';
import { repository } from '../mongo/repository.ts';
import { type ReactionsTo, reaction } from '../reaction.ts';
import { settingsReaction } from '../settings/settings.ts';

/** Each service keeps its own copy of what identity tells of tokens and people, so that it asks nobody. */
/** What a service knows of a token that was revoked, or of a person: the two are told apart by their ids. */
export const accessCopies = collection({
  name: 'access',
  fields: {
    /** Of a revoked token: when it would have ended by itself. */
    expires_at: optional(Date),
    /** Of a person: what they may do at most; null for nothing. */
    role: optional<Role | null>(String),
    address: optional<string | null>(String),
    version: optional(Number),
  },
  indexes: [[{ expires_at: 1 }, { expireAfterSeconds: 0 }]],
});
export type AccessRow = RowOf<typeof accessCopies>;

export const accessRows = repository(accessCopies);

/** Where a person's row is kept; a revoked token's is kept under its `jti`. */
export const personKey = (org: string, userId: string) => `user:${org}:${userId}`;

/** Stores a revocation; a second delivery changes nothing. */
const revocation = reaction(
  tokenRevoked,
  async (ctx, { data }) => {
    const expires_at = new Date(data.expires_at);
    await accessRows(ctx).updateOne({ _id: data.jti }, { $set: { expires_at } }, { upsert: true });
  },
  { name: 'access.token-revoked' },
);

/** Stores what a person may do, unless something newer is known. */
const personAccess = reaction(
  accessChanged,
  async (ctx, event) => {
    const { user_id, role, address } = event.data;
    const _id = personKey(ctx.org, user_id);
    await accessRows(ctx).keepNewer({ _id, role, address, version: event.seq }, 'version');
  },
  { name: 'access.changed' },
);

/** What the kit adds to every service: the catalogue subscribes each to these events. */
export const accessReactions: ReactionsTo<typeof accessEvents> = {
  tokenRevoked: [revocation],
  accessChanged: [personAccess],
  settingsUpdated: [settingsReaction],
};
