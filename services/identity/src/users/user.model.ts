import { collection, lowercase, type RowOf, repository, required } from '@muster/service-kit';

/** A person. So far a person belongs to one organization, which owns the record. */
export const userCollection = collection({
  name: 'users',
  fields: {
    name: required(String),
    /** Lower case. */
    email: lowercase(),
    created_at: required(Date),
  },
  indexes: [[{ org_id: 1, email: 1 }, { unique: true }]],
});
export type UserDoc = RowOf<typeof userCollection>;

export const users = repository(userCollection);
