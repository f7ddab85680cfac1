import type { Capability, Phase } from '@muster/contracts';

/** Where an action belongs by what it is for; capabilities that run through all of an incident are not in it. */
export const PHASE_BY_CAPABILITY: Readonly<Partial<Record<Capability, Phase>>> = {
  detection: 'detection',
  analysis: 'detection',
  identity_access: 'containment',
  containment: 'containment',
  eradication: 'eradication',
  recovery: 'recovery',
};

/** Where an action belongs by the verb that it begins with. */
export const PHASE_BY_VERB: readonly { verbs: RegExp; phase: Phase }[] = [
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
