import type { Capability, Gap, InjectResponse, Rating, ScenarioContent, TrackedGap } from '@muster/contracts';
import { type RatingBands, ratingOf } from '../scores/bands.rules.ts';
import { gapsOf, gravity, objectivesOf } from '../scores/gaps.rules.ts';
import { type Outcome, playOf } from '../scores/play.rules.ts';
import { scoreOf } from '../scores/scoring.rules.ts';

type Control = NonNullable<TrackedGap['control']>;
type Severity = Gap['severity'];

/** How one session went on one capability and control. */
export interface Trial {
  session_id: string;
  ended_at: Date;
  rating: Rating;
  findings: TrackedGap['findings'];
  techniques: string[];
}

/** What the trials of one capability and control add up to. */
export interface GapState {
  title: string;
  severity: Severity;
  rating: Rating;
  opened_at: Date;
  last_seen_at: Date;
  closed_at: Date | null;
  closed_by_session_id: string | null;
  relapses: number;
  occurrences: number;
  findings: TrackedGap['findings'];
  techniques: string[];
}

const DAY_MS = 86_400_000;
/** Days within which a gap is to be corrected and tested again, by its severity. */
const RETEST_DAYS: Readonly<Record<Severity, number>> = { critical: 30, high: 60, medium: 90, low: 180 };
const FINDINGS_KEPT = 20;
const PROOF: readonly Rating[] = ['P', 'S'];

/** What a trial is about, as a key: a capability, and a control or none. */
export const topicKey = (capability: Capability, control: Control | null) =>
  control ? `${capability}|${control.framework}|${control.control}` : capability;

export interface Topic {
  capability: Capability;
  control: Control | null;
}

/** A completed session, with its copy of the scenario. */
export interface PlayedSession {
  id: string;
  ended_at: Date;
  filename: string;
  scenario: ScenarioContent;
  responses: readonly InjectResponse[];
}

/** A trial as it is kept with its session: the findings are the session's gaps, by id. */
export interface KeptTrial extends Topic {
  topic: string;
  rating: Rating;
  techniques: string[];
  found: string[];
}

/** What a session keeps of how it went on each capability and control. */
export function keptTrials(session: PlayedSession, bands: RatingBands): KeptTrial[] {
  return trialsOf(session, bands).map(({ topic, trial: { rating, techniques, findings } }) => ({
    ...topic,
    topic: topicKey(topic.capability, topic.control),
    rating,
    techniques,
    found: findings.map(({ inject_id, action_id }) => `${inject_id}:${action_id}`),
  }));
}

/** The trial of a kept one. */
export function trialFrom(
  session: Omit<PlayedSession, 'scenario' | 'responses'> & { gaps: readonly Gap[] },
  { rating, techniques, found }: KeptTrial,
): Trial {
  const findings = session.gaps.filter(({ id }) => found.includes(id));
  return {
    session_id: session.id,
    ended_at: session.ended_at,
    rating,
    techniques,
    findings: findings.map((gap) => findingOf(session, gap)),
  };
}

/** Every capability and control that a session tried, with how it went there. */
export function trialsOf(session: PlayedSession, bands: RatingBands): { topic: Topic; trial: Trial }[] {
  const plays = playOf(session.scenario.injects, session.responses);
  const gaps = gapsOf(plays, session.scenario.objectives);
  const topics = new Map<string, { topic: Topic; outcomes: Outcome[] }>();
  for (const outcome of plays.flatMap((play) => play.outcomes)) {
    for (const topic of topicsOf(outcome, session.scenario)) {
      const key = topicKey(topic.capability, topic.control);
      const known = topics.get(key) ?? { topic, outcomes: [] };
      topics.set(key, { topic, outcomes: [...known.outcomes, outcome] });
    }
  }
  return [...topics.values()].map(({ topic, outcomes }) => {
    const own = new Set(outcomes.map(({ inject, action }) => `${inject.id}:${action.id}`));
    const found = gaps.filter(({ id }) => own.has(id));
    return { topic, trial: trialOf(session, { outcomes, found, bands }) };
  });
}

function trialOf(
  session: PlayedSession,
  { outcomes, found, bands }: { outcomes: Outcome[]; found: Gap[]; bands: RatingBands },
): Trial {
  const computed = ratingOf(scoreOf(outcomes) ?? 0, bands);
  const missedCritical = outcomes.some(({ action, taken }) => action.critical && !taken);
  return {
    session_id: session.id,
    ended_at: session.ended_at,
    // As in the overall rating, a missed critical action is no proof.
    rating: missedCritical && PROOF.includes(computed) ? 'M' : computed,
    techniques: [...new Set(found.flatMap(({ techniques }) => techniques))],
    findings: found.map((gap) => findingOf(session, gap)),
  };
}

function findingOf(
  { id: session_id, filename: scenario, ended_at }: Pick<PlayedSession, 'id' | 'filename' | 'ended_at'>,
  { title, detail, severity, reason, inject_id, action_id }: Gap,
): TrackedGap['findings'][number] {
  return {
    ...{ title, detail, severity, reason, inject_id, action_id, session_id, scenario },
    at: ended_at.toISOString(),
  };
}

function topicsOf({ inject }: Outcome, { objectives }: ScenarioContent): Topic[] {
  return objectivesOf(inject, objectives).flatMap(({ capability, controls }): Topic[] =>
    controls.length === 0
      ? [{ capability, control: null }]
      : controls.map((control) => ({ capability, control })),
  );
}

/**
 * What the trials of one capability and control amount to, whatever order they came in: the first that is rated M or U
 * opens the gap, a later one rated P or S closes it, one rated M or U after that is a relapse. Null where no trial ever
 * showed a gap.
 * @param before what the trials before all of these amount to
 */
export function gapState(trials: readonly Trial[], before: GapState | null = null): GapState | null {
  const inTime = trials.toSorted(
    (one, other) =>
      one.ended_at.getTime() - other.ended_at.getTime() || (one.session_id < other.session_id ? -1 : 1),
  );
  return inTime.reduce<GapState | null>(after, before);
}

function after(state: GapState | null, trial: Trial): GapState | null {
  if (PROOF.includes(trial.rating)) {
    if (!state || state.closed_at) return state && { ...state, rating: trial.rating };
    const { rating, ended_at: closed_at, session_id: closed_by_session_id } = trial;
    return { ...state, rating, closed_at, closed_by_session_id };
  }
  const worst = trial.findings.reduce<TrackedGap['findings'][number] | undefined>(
    (gravest, next) => (gravest && gravity(gravest) >= gravity(next) ? gravest : next),
    undefined,
  );
  const reopened = state !== null && state.closed_at !== null;
  return {
    title: worst?.title ?? state?.title ?? 'Not shown',
    severity: worst?.severity ?? state?.severity ?? 'low',
    rating: trial.rating,
    opened_at: !state || reopened ? trial.ended_at : state.opened_at,
    last_seen_at: trial.ended_at,
    closed_at: null,
    closed_by_session_id: null,
    relapses: (state?.relapses ?? 0) + (reopened ? 1 : 0),
    occurrences: (state?.occurrences ?? 0) + 1,
    findings: [...trial.findings, ...(state?.findings ?? [])].slice(0, FINDINGS_KEPT),
    techniques: [...new Set([...(state?.techniques ?? []), ...trial.techniques])],
  };
}

/** When a gap seen at a moment is to be tested again. */
export function retestDue(severity: Severity, seenAt: Date): Date {
  return new Date(seenAt.getTime() + RETEST_DAYS[severity] * DAY_MS);
}

/** Whole and tenth days between two moments, never negative. */
export function daysBetween(from: Date, to: Date): number {
  return Math.max(0, Math.round((10 * (to.getTime() - from.getTime())) / DAY_MS) / 10);
}
