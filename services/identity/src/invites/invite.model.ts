import { collection, type RowOf, repository, required } from '@muster/service-kit';

/** An invitation that can be accepted; `_id` is the digest of its secret. There is one at most for each member. */
export const inviteCollection = collection({
  name: 'invites',
  fields: {
    member_id: required(String),
    /** Who invited, as the mail and the page name them. */
    inviter: required(String),
    expires_at: required(Date),
  },
  indexes: [
    [{ org_id: 1, member_id: 1 }, { unique: true }],
    [{ expires_at: 1 }, { expireAfterSeconds: 0 }],
  ],
});
export type InviteDoc = RowOf<typeof inviteCollection>;

export const invites = repository(inviteCollection);
