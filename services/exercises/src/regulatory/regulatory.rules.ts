import {
  CLOCKS,
  type ClockName,
  type InjectResponse,
  type RegulatoryClock,
  type ScenarioContent,
} from '@muster/contracts';
import { type InjectPlay, playOf } from '../scores/play.rules.ts';

/** A point in the story: hours since it began, and what brought it about. */
interface Moment {
  hours: number;
  inject_id: string;
  action_id: string | null;
}

export interface Play {
  scenario: Pick<ScenarioContent, 'injects'>;
  responses: readonly InjectResponse[];
  /** Minutes of the script played so far; null for a session that is over. */
  now_minutes: number | null;
}

/**
 * How the reporting deadlines stood that a session started: those of each regulation that an inject which was played
 * names. Time is the story's: where an inject says how many hours have passed, they have; else an hour is an hour.
 */
export function regulatoryClocks({ scenario, responses, now_minutes }: Play): RegulatoryClock[] {
  const plays = playOf(scenario.injects, responses).filter(
    ({ applied, answered, inject }) =>
      applied && (answered || now_minutes === null || inject.offset_minutes <= now_minutes),
  );
  const story = storyOf(plays);
  const aware = (regulation: string) =>
    earliest(plays.flatMap((play) => awarenessOf(play, regulation, story)));
  const done = (wanted: (action: InjectPlay['outcomes'][number]['action']) => boolean) =>
    earliest(plays.flatMap((play) => momentsOf(play, wanted, story)));

  const found: RegulatoryClock[] = [];
  for (const clock of Object.keys(CLOCKS) as ClockName[]) {
    const { regulation, from } = CLOCKS[clock];
    const known = aware(regulation);
    if (!known) continue;
    const start = {
      awareness: () => known,
      classification: () => done((action) => action.classifies === true),
      initial_notification: () => done((action) => action.reports?.includes('dora-4h') === true),
    }[from]();
    const report = done((action) => action.reports?.includes(clock) === true);
    const now = now_minutes === null ? null : story(now_minutes);
    found.push(rowOf(clock, { start, report, now }));
  }
  return found;
}

/** Hours of the story at a minute of the script. */
type Story = (minute: number) => number;

function storyOf(plays: readonly InjectPlay[]): Story {
  const marks = plays
    .flatMap(({ inject }) => (inject.story_hours === undefined ? [] : [inject]))
    .map(({ offset_minutes, story_hours = 0 }) => ({ minute: offset_minutes, hours: story_hours }))
    .sort((one, other) => one.minute - other.minute);
  return (minute) => {
    const mark = marks.findLast((one) => one.minute <= minute) ?? { minute: 0, hours: 0 };
    return mark.hours + (minute - mark.minute) / 60;
  };
}

function awarenessOf({ inject }: InjectPlay, regulation: string, story: Story): Moment[] {
  if (!inject.regulatory?.some((name) => name === regulation)) return [];
  return [{ hours: story(inject.offset_minutes), inject_id: inject.id, action_id: null }];
}

/** When the table took an action that is wanted. */
function momentsOf(
  { inject, outcomes }: InjectPlay,
  wanted: (action: InjectPlay['outcomes'][number]['action']) => boolean,
  story: Story,
): Moment[] {
  return outcomes
    .filter(({ taken, action }) => taken && wanted(action))
    .map(({ action, minutes }) => ({
      hours: story(inject.offset_minutes + (minutes ?? 0)),
      inject_id: inject.id,
      action_id: action.id,
    }));
}

function rowOf(
  clock: ClockName,
  { start, report, now }: { start: Moment | null; report: Moment | null; now: number | null },
): RegulatoryClock {
  const { regulation, hours: limit, title } = CLOCKS[clock];
  const facts = { clock, regulation, title, limit_hours: limit };
  const by = (moment: Moment | null) =>
    moment && { inject_id: moment.inject_id, action_id: moment.action_id };
  const started_by = by(start);
  const none = { reported_by: null, elapsed_hours: null, margin_hours: null };
  if (!start) {
    return { ...facts, status: 'not_started', started_by, ...none, text: NOT_STARTED[CLOCKS[clock].from] };
  }
  const end = report ? report.hours : now;
  if (end === null) {
    return { ...facts, status: 'not_reported', started_by, ...none, text: 'never reported' };
  }
  const elapsed_hours = rounded(Math.max(0, end - start.hours));
  const margin_hours = rounded(limit - elapsed_hours);
  const late = margin_hours < 0;
  const status = late ? 'missed' : report ? 'met' : 'running';
  const reported_by = report && { inject_id: report.inject_id, action_id: report.action_id ?? '' };
  return {
    ...facts,
    status,
    started_by,
    reported_by,
    elapsed_hours,
    margin_hours,
    text: wordsFor(status, margin_hours),
  };
}

const NOT_STARTED = {
  awareness: 'not started',
  classification: 'not started: the incident was never classified',
  initial_notification: 'not started: there was no initial notification',
};

function wordsFor(status: 'met' | 'missed' | 'running', margin: number): string {
  if (status === 'missed') return `missed by ${inHours(-margin)}`;
  return status === 'met' ? `met with ${inHours(margin)} to spare` : `${inHours(margin)} left`;
}

/** Such as "3 h 10" or "25 min". */
function inHours(hours: number): string {
  const minutes = Math.round(hours * 60);
  const [whole, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (whole === 0) return `${rest} min`;
  return rest === 0 ? `${whole} h` : `${whole} h ${String(rest).padStart(2, '0')}`;
}

const earliest = (moments: readonly Moment[]): Moment | null =>
  moments.reduce<Moment | null>((first, next) => (first && first.hours <= next.hours ? first : next), null);
const rounded = (hours: number) => Math.round(hours * 1000) / 1000;
