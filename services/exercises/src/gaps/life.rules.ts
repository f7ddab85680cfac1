import type { Gap, Rating, TrackedGap } from '@muster/contracts';
import { gravity } from '../scores/gaps.rules.ts';
import { isProof, type Trial } from './gap.rules.ts';

/** What the trials of one capability and control add up to. */
export interface GapState {
  title: string;
  severity: Gap['severity'];
  rating: Rating;
  opened_at: Date;
  last_seen_at: Date;
  closed_at: Date | null;
  closed_by_session_id: string | null;
  relapses: number;
  occurrences: number;
  findings: TrackedGap['findings'];
  /** In the order in which they were first seen. */
  techniques: { id: string; first: string }[];
  moments: Moments;
}

/** The moments of the trials that opened a gap, showed it last, and proved it closed. */
interface Moments {
  opened: string;
  seen: string;
  closed: string | null;
}

/** Another trial of the same capability and control. */
export interface OtherTrial {
  moment: string;
  rating: Rating;
}

/** The trials on both sides of one, and how the last of all went where that is another. */
export interface Surroundings {
  before: OtherTrial | null;
  next: OtherTrial | null;
  last: OtherTrial | null;
}

const FINDINGS_KEPT = 20;
const TIME_LENGTH = new Date(0).toISOString().length;

/** Where a session stands in its organization's history, as text that sorts: its end, then its id. */
export const momentOf = ({ ended_at, session_id }: Pick<Trial, 'ended_at' | 'session_id'>) =>
  `${ended_at.toISOString()}.${session_id}`;

const timeOf = (moment: string) => new Date(moment.slice(0, TIME_LENGTH));
const sessionOf = (moment: string) => moment.slice(TIME_LENGTH + 1);

/**
 * What the trials of one capability and control amount to with one more, wherever in their history it belongs: the first
 * that is rated M or U opens the gap, a later one rated P or S closes it, one rated M or U after that is a relapse.
 * @param state what all others amount to; null where none of them showed a gap
 * @returns null where it still never showed; what did not change is the same object
 */
export function withTrial(state: GapState | null, trial: Trial, around: Surroundings): GapState | null {
  if (isProof(trial)) return state && withProof(state, trial, around);
  const moment = momentOf(trial);
  const shown = gapBeside(around);
  const moments = momentsWith(state?.moments ?? null, moment, around);
  return {
    ...headline(state, trial),
    ...datesOf(moments),
    rating: around.next ? (state?.rating ?? around.last?.rating ?? trial.rating) : trial.rating,
    relapses: (state?.relapses ?? 0) + (state && !shown.before && !shown.next ? 1 : 0),
    occurrences: (state?.occurrences ?? 0) + 1,
    findings: latestFindings(state?.findings ?? [], trial.findings),
    techniques: firstSeen(state?.techniques ?? [], trial.techniques, moment),
  };
}

/** It divides a run of trials that showed the gap, or proves the gap closed, earlier than was known perhaps. */
function withProof(state: GapState, trial: Trial, around: Surroundings): GapState {
  const moment = momentOf(trial);
  const { opened, seen, closed } = state.moments;
  const shown = gapBeside(around);
  const divides = shown.before && shown.next;
  const moments = {
    opened: divides && opened < moment && around.next ? around.next.moment : opened,
    seen,
    closed: moment > seen && (closed === null || moment < closed) ? moment : closed,
  };
  return {
    ...state,
    ...datesOf(moments),
    rating: around.next ? state.rating : trial.rating,
    relapses: state.relapses + (divides ? 1 : 0),
  };
}

/** Whether the trials on both sides showed the gap. */
const gapBeside = ({ before, next }: Surroundings) => ({
  before: before !== null && !isProof(before),
  next: next !== null && !isProof(next),
});

/** The moments with one more at which the gap was shown. */
function momentsWith(known: Moments | null, moment: string, around: Surroundings): Moments {
  const shown = gapBeside(around);
  if (!known || moment > known.seen) {
    const opened = known && shown.before ? known.opened : moment;
    return { opened, seen: moment, closed: around.next?.moment ?? null };
  }
  return around.next?.moment === known.opened ? { ...known, opened: moment } : known;
}

function datesOf(moments: Moments) {
  const { opened, seen, closed } = moments;
  return {
    moments,
    opened_at: timeOf(opened),
    last_seen_at: timeOf(seen),
    closed_at: closed === null ? null : timeOf(closed),
    closed_by_session_id: closed === null ? null : sessionOf(closed),
  };
}

/** The gravest of what the latest trial with findings found. */
function headline(state: GapState | null, trial: Trial): Pick<GapState, 'title' | 'severity'> {
  const { title = 'Not shown', severity = 'low' } = state ?? {};
  const latest = state?.findings[0];
  const [first, ...others] = trial.findings;
  if (!first || (latest && momentOfFinding(latest) > momentOf(trial))) return { title, severity };
  const gravest = others.reduce((one, next) => (gravity(one) >= gravity(next) ? one : next), first);
  return { title: gravest.title, severity: gravest.severity };
}

const momentOfFinding = ({ at, session_id }: TrackedGap['findings'][number]) => `${at}.${session_id}`;

const compare = (one: string, other: string) => Number(one > other) - Number(one < other);

function latestFindings(kept: TrackedGap['findings'], found: TrackedGap['findings']): TrackedGap['findings'] {
  const latest = [...found, ...kept]
    .sort((one, other) => compare(momentOfFinding(other), momentOfFinding(one)))
    .slice(0, FINDINGS_KEPT);
  return latest.length === kept.length && latest.every((one, at) => one === kept[at]) ? kept : latest;
}

function firstSeen(
  known: GapState['techniques'],
  ids: readonly string[],
  moment: string,
): GapState['techniques'] {
  const later = new Set(known.filter(({ first }) => first > moment).map(({ id }) => id));
  const earlier = new Set(known.filter(({ id }) => !later.has(id)).map(({ id }) => id));
  const here = ids.filter((id) => !earlier.has(id)).map((id) => ({ id, first: moment }));
  if (here.length === 0) return known;
  return [
    ...known.filter(({ id }) => earlier.has(id)),
    ...here,
    ...known.filter(({ id }) => later.has(id) && !ids.includes(id)),
  ];
}
