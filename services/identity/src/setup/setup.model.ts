import { collection, repository, SHARED_ORG, type Store, type Stored } from '@muster/service-kit';

/** The one way in while there is no organization yet. There is one row, {@link SETUP_ID}. */
export interface SetupDoc extends Stored {
  /** SHA-256 of the newest link's token; null once it was used. */
  token_digest: string | null;
  expires_at: Date;
  /** When the first organization was founded with it. */
  founded_at: Date | null;
}

export const SETUP_ID = 'first-owner';

export const setupCollection = collection<SetupDoc>({
  name: 'setup_links',
  fields: {
    token_digest: { type: String, default: null },
    expires_at: { type: Date, required: true },
    founded_at: { type: Date, default: null },
  },
  indexes: [],
});

const ofOrganization = repository(setupCollection);

/** The setup link, which is no organization's. */
export const setups = ({ store }: { store: Store }) =>
  ofOrganization({ store: { ...store, org: SHARED_ORG } });
