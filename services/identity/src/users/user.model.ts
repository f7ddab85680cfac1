import { collection, repository, type Stored } from '@muster/service-kit';

/** A person. So far a person belongs to one organization, which owns the record. */
export interface UserDoc extends Stored {
  name: string;
  /** Lower case. */
  email: string;
  created_at: Date;
}

export const userCollection = collection<UserDoc>({
  name: 'users',
  fields: {
    name: { type: String, required: true },
    email: { type: String, required: true, lowercase: true },
    created_at: { type: Date, required: true },
  },
  indexes: [[{ org_id: 1, email: 1 }, { unique: true }]],
});

export const users = repository(userCollection);
