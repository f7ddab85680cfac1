import {
  CAPABILITIES,
  type InjectResponse,
  type Observation,
  type Rating,
  type ScenarioContent,
  type Scores,
  type ScoresSummary,
} from '@muster/contracts';
import { regulatoryClocks } from '../regulatory/regulatory.rules.ts';
import {
  DEFAULT_BANDS,
  maturityLevelOf,
  observedRatings,
  type RatingBands,
  ratingOf,
  rounded,
  worse,
} from './bands.rules.ts';
import { gapsOf, objectivesOf, strengthsOf } from './gaps.rules.ts';
import { type InjectPlay, type Outcome, playOf } from './play.rules.ts';

export interface ScoringInput {
  session_id: string;
  scenario: ScenarioContent;
  responses: readonly InjectResponse[];
  observations: readonly Observation[];
  /** RFC 3339; the only thing in the scores that does not follow from the rest. */
  computed_at: string;
  bands?: RatingBands;
}

/** A missed critical action keeps the overall rating from being better than this. */
const CRITICAL_CAP: Rating = 'M';
/** Keeps 0.1 + 0.2 from being a weight of 0.30000000000000004. */
const WEIGHT_DIGITS = 12;

/**
 * Scores a played session by the method "muster-1" (docs/scoring.md). Deterministic: the order of the responses,
 * and responses given twice, change nothing. A session in which nothing was expected scores 0.
 * @param plays how it went, where that is known
 */
export function scoreSession(
  input: ScoringInput,
  plays = playOf(input.scenario.injects, input.responses),
): Scores {
  const { scenario, bands = DEFAULT_BANDS } = input;
  const outcomes = plays.flatMap((play) => play.outcomes);
  const overall = scoreOf(outcomes) ?? 0;
  const missedCritical = outcomes.some(({ action, taken }) => action.critical && !taken);
  const computed = ratingOf(overall, bands);
  return {
    session_id: input.session_id,
    method: 'muster-1',
    overall,
    rating: missedCritical ? worse(computed, CRITICAL_CAP) : computed,
    maturity_level: maturityLevelOf(overall),
    capabilities: capabilityScores(outcomes, scenario),
    objectives: objectiveScores(outcomes, scenario, observedRatings(input.observations), bands),
    injects: plays.map(injectScore),
    strengths: strengthsOf(plays, scenario),
    gaps: gapsOf(plays, scenario.objectives),
    regulatory: regulatoryClocks({ scenario, responses: input.responses, now_minutes: null }),
    computed_at: input.computed_at,
  };
}

/** What a list shows of a session's scores. */
export function summaryOf({ overall, rating, maturity_level, gaps }: Scores): ScoresSummary {
  return { overall, rating, maturity_level, gaps: gaps.length };
}

/** The mean credit of actions by weight, 0..100 with two decimals; null where there is no action. */
export function scoreOf(outcomes: readonly Outcome[]): number | null {
  if (outcomes.length === 0) return null;
  const earned = outcomes.reduce((sum, { credit, action }) => sum + credit * action.weight, 0);
  return rounded((100 * earned) / weightOf(outcomes));
}

function weightOf(outcomes: readonly Outcome[]): number {
  return outcomes.reduce((sum, { action }) => sum + action.weight, 0);
}

/** An action counts once for each capability among its inject's objectives. */
function capabilityScores(
  outcomes: readonly Outcome[],
  { objectives }: ScenarioContent,
): Scores['capabilities'] {
  return CAPABILITIES.flatMap((capability) => {
    const own = outcomes.filter(({ inject }) =>
      objectivesOf(inject, objectives).some((objective) => objective.capability === capability),
    );
    const score = scoreOf(own);
    if (score === null) return [];
    const weight = Number(weightOf(own).toPrecision(WEIGHT_DIGITS));
    const actions_taken = own.filter(({ taken }) => taken).length;
    return [{ capability, score, weight, actions_expected: own.length, actions_taken }];
  });
}

function objectiveScores(
  outcomes: readonly Outcome[],
  { objectives }: ScenarioContent,
  observed: ReadonlyMap<string, Rating>,
  bands: RatingBands,
): Scores['objectives'] {
  return objectives.map(({ id, title }) => {
    const score = scoreOf(outcomes.filter(({ inject }) => inject.objective_ids.includes(id)));
    const seen = observed.get(id);
    if (seen) return { id, title, score, rating: seen, rating_source: 'observer' };
    return {
      id,
      title,
      score,
      rating: score === null ? null : ratingOf(score, bands),
      rating_source: 'computed',
    };
  });
}

function injectScore({ inject, applied, minutes, timing, outcomes }: InjectPlay): Scores['injects'][number] {
  const idsOf = (those: readonly Outcome[]) => those.map(({ action }) => action.id);
  return {
    id: inject.id,
    applied,
    score: scoreOf(outcomes),
    taken: idsOf(outcomes.filter(({ taken }) => taken)),
    missed: idsOf(outcomes.filter(({ taken }) => !taken)),
    minutes,
    timing,
    late: idsOf(outcomes.filter(({ taken, credit }) => taken && credit < 1)),
    evidence: outcomes.flatMap(({ action, quote }) =>
      quote === null ? [] : [{ action_id: action.id, quote }],
    ),
  };
}
