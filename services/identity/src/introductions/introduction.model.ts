import { collection, repository, SHARED_ORG, type Store, type Stored } from '@muster/service-kit';

/** That a service was told who may do what; `_id` is its name. */
export interface IntroductionDoc extends Stored {
  told_at: Date;
}

export const introductionCollection = collection<IntroductionDoc>({
  name: 'introductions',
  fields: { told_at: { type: Date, required: true } },
  indexes: [],
});

const ofOrganization = repository(introductionCollection);

/** The services that were told. They are no organization's, so they are kept under {@link SHARED_ORG}. */
export const introductions = ({ store }: { store: Store }) =>
  ofOrganization({ store: { ...store, org: SHARED_ORG } });
