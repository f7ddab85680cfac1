import type { Capability, Element } from '@muster/contracts';
import type { Deed } from '../sessions/deeds.rules.ts';
import type { SessionRecord } from '../sessions/record.ts';

/** Why an expected action was late or missed, as far as the session tells. */
export type Cause =
  | 'slow'
  | 'absent'
  | 'unable'
  | 'undecided'
  | 'not_reached'
  | 'unanswered'
  | 'unwritten'
  | 'untrained';

/** What the table says when it would, but cannot. */
const INABILITY =
  /\b(?:cannot|can['’]?t|could ?n['’]?t|could not|unable|impossible|not (?:available|possible|equipped|reachable|licensed)|(?:do|did|does)(?: not|n['’]t) (?:have|exist|know)|have no|has no|had no|there is no|no (?:tool|access|list|inventory|contact|channel|licen[cs]e|capacity|spare|template)|lacks?|lacked|missing|broken|out of service)\b/iu;

/** Capabilities in which a missed action usually means that nobody wrote down what to do; in others, that few know how. */
const PLANNING_CAPABILITIES: ReadonlySet<Capability> = new Set([
  'governance',
  'regulatory',
  'third_party',
  'risk_awareness',
  'communication',
  'decision_making',
]);

/** Tells of each late or missed action why, from who sat at the table, what was said and how far play came. */
export function causesOf({ session, scenario }: SessionRecord): (deed: Deed) => Cause {
  const present = new Set(session.participants.flatMap(({ role }) => role ?? []));
  const answered = new Set(session.responses.map(({ inject_id }) => inject_id));
  const lastAnswered = scenario.injects.reduce(
    (last, inject) => (answered.has(inject.id) ? Math.max(last, inject.offset_minutes) : last),
    -1,
  );
  return ({ inject, action, gap, outcome, quote }) => {
    if (outcome === 'late') return 'slow';
    const roleless = inject.to.length > 0 && !inject.to.some((role) => present.has(role));
    if (present.size > 0 && roleless) return 'absent';
    if (quote) return INABILITY.test(quote.quote) ? 'unable' : 'undecided';
    if (!answered.has(inject.id)) return inject.offset_minutes > lastAnswered ? 'not_reached' : 'unanswered';
    return action.critical || (gap && PLANNING_CAPABILITIES.has(gap.capability)) ? 'unwritten' : 'untrained';
  };
}

/** Which element a corrective action for each cause changes. */
export const ELEMENT_OF: Readonly<Record<Cause, Element>> = {
  slow: 'training',
  absent: 'organization',
  unable: 'equipment',
  undecided: 'organization',
  not_reached: 'exercise',
  unanswered: 'planning',
  unwritten: 'planning',
  untrained: 'training',
};
