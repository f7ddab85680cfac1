import type { Capability, Rating, TrackedGap } from '@muster/contracts';
import { collection, list, Mixed, nullable, type RowOf, repository, required } from '@muster/service-kit';
import { daysBetween } from './gap.rules.ts';
import type { GapState } from './life.rules.ts';

/** A completed session that is settled: what it tried, and how it went; `_id` is the session's. */
const sessionCollection = collection({
  name: 'gap_sessions',
  fields: {
    /** Its place in the organization's history. */
    moment: required(String),
    tried: list<{ topic: string; rating: Rating }>(Mixed),
  },
  indexes: [[{ org_id: 1, moment: 1 }], [{ org_id: 1, 'tried.topic': 1, moment: 1 }]],
});
export type SettledSession = RowOf<typeof sessionCollection>;
export const settledSessions = repository(sessionCollection);

/** Written by every settling of an organization, so that no two run side by side; `_id` is the organization's. */
const settlingCollection = collection({
  name: 'gap_settlings',
  fields: { rounds: required(Number) },
  indexes: [],
});
export const settlings = repository(settlingCollection);

/** A gap with what people say about it. */
const gapCollection = collection({
  name: 'gaps',
  fields: {
    topic: required(String),
    capability: required<Capability>(String),
    control: nullable<TrackedGap['control']>(Mixed),
    /** The control's name alone, to filter by. */
    control_name: nullable(String),
    title: required(String),
    severity: required<GapState['severity']>(String),
    /** The severity as a number, the gravest highest, to sort by. */
    gravity: required(Number),
    rating: required<GapState['rating']>(String),
    opened_at: required(Date),
    last_seen_at: required(Date),
    /** From then on a re-test is due. */
    retest_due_at: required(Date),
    closed_at: nullable(Date),
    closed_by_session_id: nullable(String),
    relapses: required(Number),
    occurrences: required(Number),
    findings: list<GapState['findings'][number]>(Mixed),
    techniques: list<GapState['techniques'][number]>(Mixed),
    moments: required<GapState['moments']>(Mixed),
    owner_role: nullable(String),
    corrective_action: nullable(String),
    corrected_at: nullable(Date),
    version: required(Number),
  },
  indexes: [
    [{ org_id: 1, topic: 1 }, { unique: true }],
    [{ org_id: 1, _id: -1 }],
    [{ org_id: 1, closed_at: 1, retest_due_at: 1 }],
    [{ org_id: 1, closed_at: 1, gravity: -1, last_seen_at: -1 }],
    [{ org_id: 1, severity: 1, _id: -1 }],
    [{ org_id: 1, capability: 1, _id: -1 }],
    [{ org_id: 1, control_name: 1, _id: -1 }],
  ],
});
export type GapDoc = RowOf<typeof gapCollection>;
export const gaps = repository(gapCollection);

export const gapCollections = [sessionCollection, settlingCollection, gapCollection] as const;

/** Closed, or waiting for its correction, or for its re-test. */
export function statusOf({ closed_at, retest_due_at }: GapDoc, now: Date): TrackedGap['status'] {
  if (closed_at) return 'closed';
  return retest_due_at <= now ? 'retest_due' : 'open';
}

export function toTrackedGap(doc: GapDoc, now: Date): TrackedGap {
  const { capability, control, title, severity, rating, relapses, occurrences, findings } = doc;
  return {
    id: doc._id,
    capability,
    control,
    title,
    severity,
    rating,
    relapses,
    occurrences,
    findings,
    techniques: doc.techniques.map(({ id }) => id),
    status: statusOf(doc, now),
    opened_at: doc.opened_at.toISOString(),
    last_seen_at: doc.last_seen_at.toISOString(),
    retest_due_at: doc.closed_at ? null : doc.retest_due_at.toISOString(),
    closed_at: doc.closed_at?.toISOString() ?? null,
    closed_by_session_id: doc.closed_by_session_id,
    days_to_proof: doc.closed_at && daysBetween(doc.opened_at, doc.closed_at),
    days_open: daysBetween(doc.opened_at, doc.closed_at ?? now),
    owner_role: doc.owner_role,
    corrective_action: doc.corrective_action,
    corrected_at: doc.corrected_at?.toISOString() ?? null,
    version: doc.version,
  };
}
