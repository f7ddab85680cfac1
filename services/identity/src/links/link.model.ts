import { createHash } from 'node:crypto';
import { collection, type RowOf, repository, required, SHARED_ORG, type Store } from '@muster/service-kit';

/** That an account with a provider is a person here; `_id` is {@link linkId}. */
export const linkCollection = collection({
  name: 'identity_links',
  fields: {
    user_id: required(String),
    /** The organization that the person belongs to. */
    member_org: required(String),
    created_at: required(Date),
  },
  indexes: [[{ org_id: 1, user_id: 1 }]],
});
export type LinkDoc = RowOf<typeof linkCollection>;

const ofOrganization = repository(linkCollection);

/** The links. They are found before the organization is known, so they are kept under {@link SHARED_ORG}. */
export const links = ({ store }: { store: Store }) =>
  ofOrganization({ store: { ...store, org: SHARED_ORG } });

/** An account's key: what the provider calls it is nobody else's business. */
export function linkId({ issuer, subject }: { issuer: string; subject: string }): string {
  return createHash('sha256').update(`${issuer}\0${subject}`).digest('base64url');
}
