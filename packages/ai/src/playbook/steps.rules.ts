import type { Phase, PlaybookStep } from '@muster/contracts';
import { bare, clipped, counted, duration, inside, paragraph } from '../prose/prose.ts';
import type { Deed } from '../sessions/deeds.rules.ts';
import type { SessionRecord } from '../sessions/record.ts';
import { phasesOf } from './phases.rules.ts';

export interface PhaseStep {
  phase: Phase;
  step: PlaybookStep;
  /** Waits for nothing, and nothing waits for it: a preparation, a deadline of the law. */
  free?: true;
}

const CHANNELS = {
  email: 'by e-mail',
  phone: 'by phone',
  chat: 'in the chat',
  siem: 'as an alert',
  news: 'in the news',
  in_person: 'in person',
} as const;
const LONGEST_QUOTE = 160;

/** A step for each expected action, in the scenario's order; what it waits for is set by {@link orderSteps}. */
export function actionSteps(record: SessionRecord, deeds: readonly Deed[]): PhaseStep[] {
  const phases = phasesOf(deeds);
  return deeds.map((deed, at) => ({ phase: phases[at] ?? 'detection', step: stepOf(record, deed) }));
}

/** The id of the step of an expected action: the same in every version of the playbook. */
export function stepIdOf(injectId: string, actionId: string): string {
  return `${injectId}.${actionId}`;
}

function stepOf({ scenario, scores }: SessionRecord, deed: Deed): PlaybookStep {
  const { inject, action, objectives, gap, outcome, minutes } = deed;
  const controls = objectives.flatMap((objective) => objective.controls);
  return {
    id: stepIdOf(inject.id, action.id),
    title: bare(action.text) || action.id,
    detail: paragraph([
      trigger(deed, scenario.injects),
      resultOf(deed),
      ...deadlines(deed, scores),
      questions(deed),
    ]),
    owner_role: deed.owner,
    target_minutes: action.target_minutes ?? null,
    depends_on: [],
    gap_ids: gap ? [gap.id] : [],
    techniques: [...new Set(inject.techniques)],
    controls: [...new Map(controls.map((one) => [`${one.framework} ${one.control}`, one])).values()],
    exercised: outcome,
    measured_minutes: minutes,
  };
}

function trigger({ inject, action }: Deed, injects: SessionRecord['scenario']['injects']): string {
  const source = inject.from ? ` from ${bare(inject.from)}` : '';
  const when = `When a message like “${bare(inject.title)}” comes ${CHANNELS[inject.channel]}${source}`;
  const limit = action.target_minutes ? `, within ${duration(action.target_minutes)} of it` : '';
  const only = inject.only_if;
  const before = injects
    .find(({ id }) => id === only?.inject_id)
    ?.expected_actions.find(({ id }) => id === only?.action_id);
  if (!only || !before) return `${when}${limit}`;
  return `${when}${limit}; it follows ${only.taken ? 'once it was done' : 'where it was not done'} to ${inside(before.text)}`;
}

/** What the exercise showed of it. */
function resultOf({ outcome, minutes, action, quote, inject }: Deed): string {
  const said = quote ? `: “${clipped(bare(quote.quote), LONGEST_QUOTE)}”` : '';
  const took = minutes === null ? '' : ` after ${duration(minutes)}`;
  if (outcome === 'performed') return `Exercised: done${took}${said}`;
  if (outcome === 'late')
    return `Exercised: done late${took}, where ${duration(action.target_minutes ?? 0)} are allowed${said}`;
  if (outcome === 'missed') return quote ? `Exercised: spoken of, but not done${said}` : 'Exercised: missed';
  return `Never exercised: “${bare(inject.title)}” did not come up`;
}

/** The deadlines of the law that doing it meets, and how they stood. */
function deadlines({ action }: Deed, { regulatory }: SessionRecord['scores']): string[] {
  return regulatory
    .filter(({ clock }) => action.reports?.includes(clock))
    .map(
      ({ regulation, limit_hours, text }) =>
        `${regulation.toUpperCase()} allows ${limit_hours} hours: ${text}`,
    );
}

function questions({ inject }: Deed): string | null {
  const [first] = inject.discussion_questions;
  if (!first) return null;
  const more = inject.discussion_questions.length - 1;
  return `To settle beforehand: ${bare(first)}${more > 0 ? ` (and ${counted(more, 'more question')} of the scenario)` : ''}`;
}

/**
 * The steps of each phase with what they wait for: the first step (the critical or heaviest one) of the inject before
 * theirs in the phase, else in the phase before. Only steps that stand earlier are waited for, so there is no circle.
 * @param needed the step that a step follows by the scenario's own condition
 */
export function orderSteps(
  phases: readonly { phase: Phase; groups: readonly (readonly PhaseStep[])[] }[],
  needed: ReadonlyMap<string, string>,
): { phase: Phase; steps: PlaybookStep[] }[] {
  const seen = new Set<string>();
  let anchor: string | undefined;
  return phases.map(({ phase, groups }) => {
    const steps = groups.flatMap((group) => {
      const [first] = group;
      if (!first || first.free) return group.map(({ step }) => step);
      const placed = group.map(({ step }) => {
        const own = needed.get(step.id);
        const waits = [anchor, own !== undefined && seen.has(own) ? own : undefined];
        return { ...step, depends_on: [...new Set(waits.filter((id) => id !== undefined))] };
      });
      for (const { step } of group) seen.add(step.id);
      anchor = first.step.id;
      return placed;
    });
    return { phase, steps };
  });
}
