import { collection, type RowOf, repository, required, SHARED_ORG, type Store } from '@muster/service-kit';

/** That a service was told who may do what; `_id` is its name. */
export const introductionCollection = collection({
  name: 'introductions',
  fields: {
    told_at: required(Date),
  },
  indexes: [],
});
export type IntroductionDoc = RowOf<typeof introductionCollection>;

const ofOrganization = repository(introductionCollection);

/** The services that were told. They are no organization's, so they are kept under {@link SHARED_ORG}. */
export const introductions = ({ store }: { store: Store }) =>
  ofOrganization({ store: { ...store, org: SHARED_ORG } });
