import {
  collection,
  nullable,
  type RowOf,
  repository,
  required,
  SHARED_ORG,
  type Store,
} from '@muster/service-kit';

export const SETUP_ID = 'first-owner';

/** The one way in while there is no organization yet. There is one row, {@link SETUP_ID}. */
export const setupCollection = collection({
  name: 'setup_links',
  fields: {
    /** SHA-256 of the newest link's token; null once it was used. */
    token_digest: nullable(String),
    expires_at: required(Date),
    /** When the first organization was founded with it. */
    founded_at: nullable(Date),
  },
  indexes: [],
});
export type SetupDoc = RowOf<typeof setupCollection>;

const ofOrganization = repository(setupCollection);

/** The setup link, which is no organization's. */
export const setups = ({ store }: { store: Store }) =>
  ofOrganization({ store: { ...store, org: SHARED_ORG } });
