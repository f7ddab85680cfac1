import { collection, Mixed, repository, type Stored } from '@muster/service-kit';

/**
 * How many events there are, by status and severity, of those that expire on one day: it expires with them, so it needs
 * no counting down. Whoever stores or moves events adds a row, so that nobody waits for another; rows are summed up
 * afterwards, into one a day: `_id` is then `<org>.<day>`.
 */
export interface TallyDoc extends Stored {
  /** `<status>_<severity>` and how many more or fewer. */
  counts: Record<string, number>;
  /** There until it is summed up. */
  single?: true;
  expires_at: Date;
}

export const tallyCollection = collection<TallyDoc>({
  name: 'event_tallies',
  fields: {
    counts: { type: Mixed, required: true },
    single: { type: Boolean },
    expires_at: { type: Date, required: true },
  },
  indexes: [[{ org_id: 1, single: 1 }], [{ expires_at: 1 }, { expireAfterSeconds: 0 }]],
});

export const tallies = repository(tallyCollection);

/** What others were last told of how many events there are; `_id` is the organization's. */
export interface CountDoc extends Stored {
  /** How often they were told. */
  seq: number;
  open: number;
}

export const countCollection = collection<CountDoc>({
  name: 'event_counts',
  fields: { seq: { type: Number, required: true }, open: { type: Number, required: true } },
  indexes: [],
});

export const counts = repository(countCollection);
