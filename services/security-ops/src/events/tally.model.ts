import { collection, Mixed, optional, type RowOf, repository, required } from '@muster/service-kit';

/**
 * How many events there are, by status and severity, of those that expire on one day: it expires with them, so it needs
 * no counting down. Whoever stores or moves events adds a row, so that nobody waits for another; rows are summed up
 * afterwards, into one a day: `_id` is then `<org>.<day>`.
 */
export const tallyCollection = collection({
  name: 'event_tallies',
  fields: {
    /** `<status>_<severity>` and how many more or fewer. */
    counts: required<Record<string, number>>(Mixed),
    /** There until it is summed up. */
    single: optional<true>(Boolean),
    expires_at: required(Date),
  },
  indexes: [[{ org_id: 1, single: 1 }], [{ expires_at: 1 }, { expireAfterSeconds: 0 }]],
});
export type TallyDoc = RowOf<typeof tallyCollection>;

export const tallies = repository(tallyCollection);

/** What others were last told of how many events there are; `_id` is the organization's. */
export const countCollection = collection({
  name: 'event_counts',
  fields: {
    /** How often they were told. */
    seq: required(Number),
    open: required(Number),
  },
  indexes: [],
});
export type CountDoc = RowOf<typeof countCollection>;

export const counts = repository(countCollection);
