import { collection, repository, type Stored } from '@muster/service-kit';

/** An organization owns itself: `org_id` is its `_id`. */
export interface OrganizationDoc extends Stored {
  name: string;
  created_at: Date;
}

export const organizationCollection = collection<OrganizationDoc>({
  name: 'organizations',
  fields: { name: { type: String, required: true }, created_at: { type: Date, required: true } },
  indexes: [],
});

export const organizations = repository(organizationCollection);
