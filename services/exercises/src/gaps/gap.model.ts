import type { Capability, Rating, TrackedGap } from '@muster/contracts';
import { collection, Mixed, repository, type Stored } from '@muster/service-kit';
import { daysBetween } from './gap.rules.ts';
import type { GapState } from './life.rules.ts';

/** A completed session that is settled: what it tried, and how it went; `_id` is the session's. */
export interface SettledSession extends Stored {
  /** Its place in the organization's history. */
  moment: string;
  tried: { topic: string; rating: Rating }[];
}

/** Written by every settling of an organization, so that no two run side by side; `_id` is the organization's. */
interface Settling extends Stored {
  rounds: number;
}

/** A gap with what people say about it. */
export interface GapDoc extends Stored, GapState {
  topic: string;
  capability: Capability;
  control: TrackedGap['control'];
  /** The control's name alone, to filter by. */
  control_name: string | null;
  /** The severity as a number, the gravest highest, to sort by. */
  gravity: number;
  /** From then on a re-test is due. */
  retest_due_at: Date;
  owner_role: string | null;
  corrective_action: string | null;
  corrected_at: Date | null;
  version: number;
}

const required = <T>(type: T) => ({ type, required: true });

const sessionCollection = collection<SettledSession>({
  name: 'gap_sessions',
  fields: { moment: required(String), tried: [Mixed] },
  indexes: [[{ org_id: 1, moment: 1 }], [{ org_id: 1, 'tried.topic': 1, moment: 1 }]],
});
export const settledSessions = repository(sessionCollection);

const settlingCollection = collection<Settling>({
  name: 'gap_settlings',
  fields: { rounds: required(Number) },
  indexes: [],
});
export const settlings = repository(settlingCollection);

const gapCollection = collection<GapDoc>({
  name: 'gaps',
  fields: {
    topic: required(String),
    capability: required(String),
    control: { type: Mixed, default: null },
    control_name: { type: String, default: null },
    title: required(String),
    severity: required(String),
    gravity: required(Number),
    rating: required(String),
    opened_at: required(Date),
    last_seen_at: required(Date),
    retest_due_at: required(Date),
    closed_at: { type: Date, default: null },
    closed_by_session_id: { type: String, default: null },
    relapses: required(Number),
    occurrences: required(Number),
    findings: [Mixed],
    techniques: [Mixed],
    moments: required(Mixed),
    owner_role: { type: String, default: null },
    corrective_action: { type: String, default: null },
    corrected_at: { type: Date, default: null },
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
    ...{ capability, control, title, severity, rating, relapses, occurrences, findings },
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
