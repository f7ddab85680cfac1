import {
  type Capability,
  type ExpectedAction,
  GAP_SEVERITIES,
  type Gap,
  type ScenarioContent,
  type Scores,
} from '@muster/contracts';
import type { InjectPlay, Outcome } from './play.rules.ts';

type Severity = Gap['severity'];
type Objective = ScenarioContent['objectives'][number];

/** Severity of a missed action by its weight, the heaviest first; a critical one is critical at any weight. */
const SEVERITY_BY_WEIGHT: readonly { weight: number; severity: Severity }[] = [
  { weight: 4, severity: 'high' },
  { weight: 2, severity: 'medium' },
  { weight: 0, severity: 'low' },
];
/** For the actions of an inject that serves no objective. */
const NO_OBJECTIVE: Capability = 'governance';
const MOST_STRENGTHS = 10;

/** How grave it is that an action was missed; done late it is one step less, and never below low. */
export function severityOf(
  { critical, weight }: Pick<ExpectedAction, 'critical' | 'weight'>,
  reason: Gap['reason'],
): Severity {
  const byWeight = SEVERITY_BY_WEIGHT.find((row) => weight >= row.weight)?.severity ?? 'low';
  const step = GAP_SEVERITIES.indexOf(critical ? 'critical' : byWeight) - (reason === 'late' ? 1 : 0);
  return GAP_SEVERITIES[step] ?? 'low';
}

/** Every missed or late action of the injects that applied: the gravest first, then the heaviest, then as played. */
export function gapsOf(plays: readonly InjectPlay[], objectives: readonly Objective[]): Gap[] {
  return plays
    .flatMap((play) => play.outcomes.map((outcome) => ({ play, outcome })))
    .filter(({ outcome }) => outcome.credit < 1)
    .map(({ play, outcome }) => ({ gap: gapOf(play, outcome, objectives), weight: outcome.action.weight }))
    .sort((one, other) => gravity(other.gap) - gravity(one.gap) || other.weight - one.weight)
    .map(({ gap }) => gap);
}

/**
 * The actions done on time that weigh at least as much as the scenario's median action: the heaviest first, then as
 * played; ten at most.
 */
export function strengthsOf(
  plays: readonly InjectPlay[],
  { injects, objectives }: Pick<ScenarioContent, 'injects' | 'objectives'>,
): Scores['strengths'] {
  const median = medianOf(injects.flatMap((inject) => inject.expected_actions.map(({ weight }) => weight)));
  return plays
    .flatMap((play) => play.outcomes)
    .filter(({ credit, action }) => credit === 1 && action.weight >= median)
    .sort((one, other) => other.action.weight - one.action.weight)
    .slice(0, MOST_STRENGTHS)
    .map(({ inject, action, minutes }) => ({
      capability: objectivesOf(inject, objectives)[0]?.capability ?? NO_OBJECTIVE,
      title:
        minutes === null ? sentence(action.text) : `${sentence(action.text)} (after ${inMinutes(minutes)})`,
      inject_id: inject.id,
    }));
}

/** The objectives that an inject serves, in the order in which it names them. */
export function objectivesOf(
  { objective_ids }: Pick<InjectPlay['inject'], 'objective_ids'>,
  objectives: readonly Objective[],
): Objective[] {
  return objective_ids.flatMap((id) => objectives.find((objective) => objective.id === id) ?? []);
}

function gapOf(play: InjectPlay, outcome: Outcome, objectives: readonly Objective[]): Gap {
  const { inject, action } = outcome;
  const reason = outcome.taken ? 'late' : 'missed';
  const served = objectivesOf(inject, objectives);
  const controls = new Map(
    served.flatMap((objective) => objective.controls.map((one) => [`${one.framework} ${one.control}`, one])),
  );
  return {
    // Neither id can hold a colon, so no two actions share one.
    id: `${inject.id}:${action.id}`,
    capability: served[0]?.capability ?? NO_OBJECTIVE,
    severity: severityOf(action, reason),
    title: `${outcome.taken ? 'Late' : 'Missed'}: ${sentence(action.text)}`,
    detail: outcome.taken ? lateDetail(outcome) : missedDetail(play, action),
    inject_id: inject.id,
    action_id: action.id,
    objective_id: served[0]?.id ?? null,
    controls: [...controls.values()],
    techniques: [...new Set(inject.techniques)],
    reason,
  };
}

function missedDetail({ inject, answered }: InjectPlay, action: ExpectedAction): string {
  const kind = action.critical ? 'a critical action' : 'an action';
  const time = action.target_minutes ? ` within ${inMinutes(action.target_minutes)}` : '';
  const fact = answered ? `No response to “${inject.title}” shows it` : `“${inject.title}” was not answered`;
  return `${fact}: ${kind} expected${time}.`;
}

function lateDetail({ inject, action, minutes, credit }: Outcome): string {
  const kind = action.critical ? 'this critical action' : 'this action';
  const target = `the target for ${kind} was ${inMinutes(action.target_minutes ?? 0)}`;
  const earned = `so it earned ${Math.round(credit * 100)} % of its weight`;
  return `Done ${inMinutes(minutes ?? 0)} after “${inject.title}”; ${target}, ${earned}.`;
}

/** A severity as a number, the gravest highest. */
export const gravity = ({ severity }: Pick<Gap, 'severity'>) => GAP_SEVERITIES.indexOf(severity);
const sentence = (text: string) => text.trim().replace(/\.$/, '');
const inMinutes = (minutes: number) =>
  `${Number(minutes.toFixed(2))} ${minutes === 1 ? 'minute' : 'minutes'}`;

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}
