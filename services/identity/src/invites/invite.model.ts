import { collection, repository, type Stored } from '@muster/service-kit';

/** An invitation that can be accepted; `_id` is the digest of its secret. There is one at most for each member. */
export interface InviteDoc extends Stored {
  member_id: string;
  /** Who invited, as the mail and the page name them. */
  inviter: string;
  expires_at: Date;
}

export const inviteCollection = collection<InviteDoc>({
  name: 'invites',
  fields: {
    member_id: { type: String, required: true },
    inviter: { type: String, required: true },
    expires_at: { type: Date, required: true },
  },
  indexes: [
    [{ org_id: 1, member_id: 1 }, { unique: true }],
    [{ expires_at: 1 }, { expireAfterSeconds: 0 }],
  ],
});

export const invites = repository(inviteCollection);
