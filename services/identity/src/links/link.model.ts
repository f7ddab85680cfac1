import { createHash } from 'node:crypto';
import { collection, repository, SHARED_ORG, type Store, type Stored } from '@muster/service-kit';

/** That an account with a provider is a person here; `_id` is {@link linkId}. */
export interface LinkDoc extends Stored {
  user_id: string;
  /** The organization that the person belongs to. */
  member_org: string;
  created_at: Date;
}

export const linkCollection = collection<LinkDoc>({
  name: 'identity_links',
  fields: {
    user_id: { type: String, required: true },
    member_org: { type: String, required: true },
    created_at: { type: Date, required: true },
  },
  indexes: [[{ org_id: 1, user_id: 1 }]],
});

const ofOrganization = repository(linkCollection);

/** The links. They are found before the organization is known, so they are kept under {@link SHARED_ORG}. */
export const links = ({ store }: { store: Store }) =>
  ofOrganization({ store: { ...store, org: SHARED_ORG } });

/** An account's key: what the provider calls it is nobody else's business. */
export function linkId({ issuer, subject }: { issuer: string; subject: string }): string {
  return createHash('sha256').update(`${issuer}\0${subject}`).digest('base64url');
}
