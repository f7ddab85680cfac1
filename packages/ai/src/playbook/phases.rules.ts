import { type Capability, PHASES, type Phase } from '@muster/contracts';
import type { Deed } from '../sessions/deeds.rules.ts';

/** Where an action belongs by what it is for; capabilities that run through all of an incident are not in it. */
const BY_CAPABILITY: Readonly<Partial<Record<Capability, Phase>>> = {
  detection: 'detection',
  analysis: 'detection',
  identity_access: 'containment',
  containment: 'containment',
  eradication: 'eradication',
  recovery: 'recovery',
};

/** Where an action belongs by the verb that it begins with. */
const BY_VERB: readonly { verbs: RegExp; phase: Phase }[] = [
  {
    verbs:
      /^(?:isolate|disconnect|cut|block|disable|deactivate|suspend|lock|revoke|end|stop|freeze|contain|quarantine|withdraw|limit|restrict|forbid|take \w+(?: \w+){0,6} (?:off|offline))\b/i,
    phase: 'containment',
  },
  {
    verbs: /^(?:remove|delete|clean|eradicate|rebuild|reimage|replace|rotate|patch|undo|uninstall)\b/i,
    phase: 'eradication',
  },
  { verbs: /^(?:restore|recover|return|reconnect|bring back|resume|re-?open)\b/i, phase: 'recovery' },
  {
    verbs:
      /^(?:correlate|detect|determine|find|search|hunt|identify|compare|check|validate|verify|estimate|declare|open an incident|preserve|capture|export|copy)\b/i,
    phase: 'detection',
  },
];

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
    const possible = objectives.flatMap(({ capability }) => BY_CAPABILITY[capability] ?? []);
    const verb = BY_VERB.find(({ verbs }) => verbs.test(action.text))?.phase;
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
