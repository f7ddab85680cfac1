import type { SessionRecord } from '@muster/ai';
import type { Report } from '@muster/contracts';
import type { InjectPlay } from '../scores/play.rules.ts';
import { clipped } from './wording.texts.ts';

/** Enough to recognise a decision by; the whole is in the session. */
const LONGEST_DECISION = 280;

/** Every inject in the order of its minute, with what the table decided on it, in the order of time. */
export function timelineOf(
  { session, scenario }: SessionRecord,
  plays: readonly InjectPlay[],
): Report['timeline'] {
  const roleNames = new Map(scenario.roles.map(({ id, name }) => [id, name]));
  const given = Map.groupBy(session.responses, ({ inject_id }) => inject_id);
  return plays
    .toSorted((one, other) => one.inject.offset_minutes - other.inject.offset_minutes)
    .map((play) => {
      const { id, title, offset_minutes } = play.inject;
      const lateAt = new Set(
        play.outcomes.filter(({ taken, credit }) => taken && credit < 1).map(({ minutes }) => minutes),
      );
      const decisions = (given.get(id) ?? []).map(
        ({ at_minutes, role, recorded_by, decision, actions, notes }) => ({
          minute: at_minutes ?? null,
          role: role ? (roleNames.get(role) ?? role) : null,
          recorded_by: recorded_by ?? null,
          late: at_minutes != null && lateAt.has(responseTime(at_minutes, offset_minutes)),
          text: clipped(decision || notes || tickedOff(play, actions), LONGEST_DECISION),
        }),
      );
      return {
        inject_id: id,
        title,
        minute: offset_minutes,
        played: play.applied,
        decisions: decisions.sort((one, other) => (one.minute ?? Infinity) - (other.minute ?? Infinity)),
      };
    });
}

/** As scoring has it: never before the inject, and without the noise of floating point. */
const responseTime = (at: number, offset: number) => Math.max(0, Math.round((at - offset) * 1e6) / 1e6);

/** What a response says that lists actions and no words. */
function tickedOff({ inject }: InjectPlay, actions: readonly string[]): string {
  const texts = inject.expected_actions.filter(({ id }) => actions.includes(id)).map(({ text }) => text);
  return texts.length > 0 ? `Ticked off: ${texts.join('; ')}` : 'No words were noted.';
}
