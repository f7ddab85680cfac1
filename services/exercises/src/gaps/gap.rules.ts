import {
  type Capability,
  DAY_MS,
  type Gap,
  type InjectResponse,
  type Rating,
  type ScenarioContent,
  type TrackedGap,
} from '@muster/contracts';
import { type RatingBands, ratingOf } from '../scores/bands.rules.ts';
import { gapsOf, objectivesOf } from '../scores/gaps.rules.ts';
import { type InjectPlay, type Outcome, playOf } from '../scores/play.rules.ts';
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

/** Days within which a gap is to be corrected and tested again, by its severity. */
const RETEST_DAYS: Readonly<Record<Severity, number>> = { critical: 30, high: 60, medium: 90, low: 180 };

/** Whether a trial shows that there is no gap. */
export const isProof = ({ rating }: Pick<Trial, 'rating'>) => rating === 'P' || rating === 'S';

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
export interface TrialRecord extends Topic {
  topic: string;
  rating: Rating;
  techniques: string[];
  found: string[];
}

/** What a session keeps of how it went on each capability and control. */
export function trialRecords(
  session: PlayedSession,
  bands: RatingBands,
  plays?: readonly InjectPlay[],
): TrialRecord[] {
  return trialsOf(session, bands, plays).map(({ topic, trial: { rating, techniques, findings } }) => ({
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
  { rating, techniques, found }: TrialRecord,
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

/** Every capability and control that a session tried, with how it went there. @param plays how it went, where that is known */
export function trialsOf(
  session: PlayedSession,
  bands: RatingBands,
  plays: readonly InjectPlay[] = playOf(session.scenario.injects, session.responses),
): { topic: Topic; trial: Trial }[] {
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
    rating: missedCritical && isProof({ rating: computed }) ? 'M' : computed,
    techniques: [...new Set(found.flatMap(({ techniques }) => techniques))],
    findings: found.map((gap) => findingOf(session, gap)),
  };
}

function findingOf(
  { id: session_id, filename: scenario, ended_at }: Pick<PlayedSession, 'id' | 'filename' | 'ended_at'>,
  { title, detail, severity, reason, inject_id, action_id }: Gap,
): TrackedGap['findings'][number] {
  return {
    title,
    detail,
    severity,
    reason,
    inject_id,
    action_id,
    session_id,
    scenario,
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

/** When a gap seen at a moment is to be tested again. */
export function retestDue(severity: Severity, seenAt: Date): Date {
  return new Date(seenAt.getTime() + RETEST_DAYS[severity] * DAY_MS);
}

/** Whole and tenth days between two moments, never negative. */
export function daysBetween(from: Date, to: Date): number {
  return Math.max(0, Math.round((10 * (to.getTime() - from.getTime())) / DAY_MS) / 10);
}
