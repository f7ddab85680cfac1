import type { SessionRecord } from '@muster/ai';
import { DAY_MS, type Evaluation, type Report, type SettingsFacts } from '@muster/contracts';
import { playOf } from '../scores/play.rules.ts';
import { evidenceOf, objectiveResults } from './objectives.rules.ts';
import { type PreviousExercise, sinceLast } from './since.rules.ts';
import { timelineOf } from './timeline.rules.ts';
import { calendarDay } from './wording.texts.ts';

export interface ReportInput {
  /** The session, with when it ended and its scenario's filename. */
  record: SessionRecord & { ended_at: Date; filename: string };
  /** Whether it was conducted live. */
  live: boolean;
  evaluation: Evaluation | null;
  /** The exercise before it, if there was one. */
  previous: PreviousExercise | null;
  organization: SettingsFacts['organization'];
  bands: Report['method']['bands'];
}

/**
 * The after-action report and improvement plan of a completed session, in the parts that HSEEP gives it. The numbers are
 * the scores', the words the evaluation's; before there is one they are made from the numbers.
 */
export function reportOf(input: ReportInput): Report {
  const { record, evaluation, previous, bands } = input;
  const { scenario, scores, session } = record;
  const plays = playOf(scenario.injects, session.responses);
  const figures = figuresOf(record, plays);
  return {
    overview: overviewOf(input, plays.filter(({ applied }) => applied).length),
    summary: evaluation?.summary ?? summaryOf(figures),
    figures,
    evaluation: evaluation && { engine: evaluation.engine, created_at: evaluation.created_at },
    objectives: objectiveResults(record, evaluation, evidenceOf(record)),
    timeline: timelineOf(record, plays),
    capabilities: scores.capabilities,
    regulatory: scores.regulatory,
    gaps: scores.gaps,
    improvement_plan: planOf(input),
    since_last: previous && sinceLast(record, previous, bands),
    method: { name: scores.method, bands },
  };
}

type Plays = ReturnType<typeof playOf>;

function overviewOf({ record, live, organization }: ReportInput, injects_played: number): Report['overview'] {
  const { session, scenario, ended_at, filename } = record;
  const roleNames = new Map(scenario.roles.map(({ id, name }) => [id, name]));
  const present = new Set(session.participants.map(({ role }) => role));
  return {
    session_id: session.id,
    title: session.title,
    organization: organization.name,
    scenario: filename,
    scenario_title: scenario.title,
    category: scenario.category,
    started_at: session.started_at,
    ended_at: ended_at.toISOString(),
    timezone: organization.timezone,
    conduct: live ? 'live' : 'recorded',
    purpose: scenario.summary,
    scope: {
      planned_minutes: scenario.duration_minutes,
      injects: scenario.injects.length,
      injects_played,
      audience: scenario.audience,
      industries: scenario.industries,
    },
    threat: scenario.threat,
    participants: session.participants.map(({ name, role }) => ({
      name,
      role: role ? (roleNames.get(role) ?? role) : null,
    })),
    roles_absent: scenario.roles.filter(({ id }) => !present.has(id)).map(({ name }) => name),
  };
}

function figuresOf({ scores }: SessionRecord, plays: Plays): Report['figures'] {
  const outcomes = plays.flatMap((play) => play.outcomes);
  const late = outcomes.filter(({ taken, credit }) => taken && credit < 1).length;
  const missed = outcomes.filter(({ taken }) => !taken);
  return {
    overall: scores.overall,
    rating: scores.rating,
    maturity_level: scores.maturity_level,
    actions_expected: outcomes.length,
    actions_on_time: outcomes.length - late - missed.length,
    actions_late: late,
    actions_missed: missed.length,
    critical_missed: missed.filter(({ action }) => action.critical).length,
    gaps: scores.gaps.length,
  };
}

/** What the numbers alone say. */
function summaryOf(figures: Report['figures']): string {
  const { overall, rating, actions_expected, actions_on_time, actions_late, critical_missed } = figures;
  if (actions_expected === 0)
    return 'The scenario expected no action of the table, so there is nothing to score.';
  const done = actions_on_time + actions_late;
  const late = actions_late > 0 ? `, ${actions_late} of them late` : '';
  const critical =
    critical_missed > 0
      ? ` ${critical_missed} of the missed actions ${critical_missed === 1 ? 'was' : 'were'} critical.`
      : '';
  return `The table took ${done} of ${actions_expected} expected actions${late}, and reached ${overall} of 100, rating ${rating}.${critical}`;
}

function planOf({ evaluation, record, organization }: ReportInput): Report['improvement_plan'] {
  if (!evaluation) return [];
  const roleNames = new Map(record.scenario.roles.map(({ id, name }) => [id, name]));
  const from = new Date(evaluation.created_at).getTime();
  return evaluation.improvements.map(({ due_in_days, ...row }, at) => ({
    number: at + 1,
    ...row,
    owner: roleNames.get(row.owner_role) ?? row.owner_role,
    due_on: calendarDay(new Date(from + due_in_days * DAY_MS), organization.timezone),
  }));
}
