import type { Capability, TrackedGap } from '@muster/contracts';
import { collection, Mixed, repository, type Stored } from '@muster/service-kit';
import { daysBetween, type GapState } from './gap.rules.ts';

/** A completed session that the gaps know of, or are about to; `_id` is the session's. What it tried stands with it. */
export interface ArrivalDoc extends Stored {
  /** The session's version: guards against older and repeated events. */
  seq: number;
  ended_at: Date;
  settled: boolean;
}

/** How far an organization's gaps have been settled. */
export interface SettledDoc extends Stored {
  /** The end of the latest session that each topic has settled. */
  latest: { topic: string; ended_at: Date }[];
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

const arrivalCollection = collection<ArrivalDoc>({
  name: 'gap_arrivals',
  fields: { seq: required(Number), ended_at: required(Date), settled: required(Boolean) },
  indexes: [[{ org_id: 1, ended_at: 1 }, { partialFilterExpression: { settled: false } }]],
});
export const arrivals = repository(arrivalCollection);

const settledCollection = collection<SettledDoc>({
  name: 'gap_settled',
  fields: { latest: [Mixed] },
  indexes: [],
});
export const settled = repository(settledCollection);

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
    techniques: [String],
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

export const gapCollections = [arrivalCollection, settledCollection, gapCollection] as const;

/** Closed, or waiting for its correction, or for its re-test. */
export function statusOf({ closed_at, retest_due_at }: GapDoc, now: Date): TrackedGap['status'] {
  if (closed_at) return 'closed';
  return retest_due_at <= now ? 'retest_due' : 'open';
}

export function toTrackedGap(doc: GapDoc, now: Date): TrackedGap {
  const { capability, control, title, severity, rating, relapses, occurrences, techniques, findings } = doc;
  return {
    id: doc._id,
    ...{ capability, control, title, severity, rating, relapses, occurrences, techniques, findings },
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
