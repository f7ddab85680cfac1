import { PHASES, type Phase } from '@muster/contracts';
import type { Deed } from '../sessions/deeds.rules.ts';
import { PHASE_BY_CAPABILITY, PHASE_BY_VERB } from './phases.data.ts';

const LOOKING_BACK = /\b(?:differently|lessons?|improvements?|next time|so that the next|is it over)\b/i;

/**
 * The phase of each deed, in the deeds' order: by its objective; where its inject serves several, the verb chooses
 * among them. What belongs to no phase of its own (to decide, to tell, to notify) goes with the phase that the
 * exercise has come to, and in a last inject that looks back, behind the incident.
 */
export function phasesOf(deeds: readonly Deed[]): Phase[] {
  const last = Math.max(...deeds.map(({ inject }) => inject.offset_minutes));
  let reached: Phase = 'detection';
  return deeds.map(({ objectives, action, inject }) => {
    const possible = objectives.flatMap(({ capability }) => PHASE_BY_CAPABILITY[capability] ?? []);
    const verb = PHASE_BY_VERB.find(({ verbs }) => verbs.test(action.text))?.phase;
    if (verb && possible.includes(verb)) return advance(verb);
    if (inject.offset_minutes === last && LOOKING_BACK.test(`${inject.title}. ${inject.description}`))
      return possible.includes('recovery') ? 'recovery' : 'post_incident';
    return possible[0] ? advance(possible[0]) : reached;
  });

  function advance(phase: Phase): Phase {
    if (PHASES.indexOf(phase) > PHASES.indexOf(reached)) reached = phase;
    return phase;
  }
}
