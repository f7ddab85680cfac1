import type { Bands } from '../src/index.ts';

export const BANDS: Bands = { P: 80, S: 65, M: 50 };

export const OBJECTIVES = [
  ['O1', 'Contain the spread of encryption within thirty minutes of the first alert', 86, 'P'],
  ['O2', 'Keep patient care running while clinical systems are down', 71, 'S'],
  ['O3', 'Decide on the ransom demand with legal and executive agreement', 58, 'M'],
  ['O4', 'Notify the authorities within the terms of the law', 34, 'U'],
] as const;

export const CAPABILITIES = [
  ['Detection', [62, 70, 84], ['M', 'S', 'P']],
  ['Containment', [55, 66, 86], ['M', 'S', 'P']],
  ['Communication', [71, 68, 66], ['S', 'S', 'S']],
  ['Decision making', [40, null, 58], ['U', null, 'M']],
  ['Regulatory', [null, 48, 34], [null, 'U', 'U']],
  ['Recovery', [64, 73, 79], ['M', 'S', 'S']],
] as const;

export const IMPROVEMENTS = [
  [
    'Nobody knew who may notify the supervisory authority',
    'Name a notifier and a deputy; keep both in the crisis file',
    'organization',
    'Data protection officer',
    '15 March 2026',
    'P1',
  ],
  [
    'The ransom decision waited for a lawyer who could not be reached',
    'Agree an on-call rota with outside counsel',
    'planning',
    'General counsel',
    '31 March 2026',
    'P1',
  ],
  [
    'Offline admission forms were three versions old',
    'Print and replace the forms each quarter',
    'equipment',
    'Head of nursing',
    '30 April 2026',
    'P2',
  ],
  [
    'The night shift had never seen the isolation runbook',
    'Walk every shift through the runbook',
    'training',
    'Security operations lead',
    '15 May 2026',
    'P2',
  ],
  [
    'Restoring the laboratory system was assumed, never tried',
    'Restore it from backup in a test of its own',
    'exercise',
    'Head of infrastructure',
    '30 June 2026',
    'P3',
  ],
] as const;
