import type { AnswerFact } from './fact.ts';

/** What would answer a question of each category. */
export const NEEDED_SOURCES: Readonly<Record<string, string>> = {
  people: 'a connected identity provider, or the members of the organization',
  identity: 'a connected identity provider that was synchronized',
  technology: 'the technology in the organization’s profile, or a connector that reads it',
  process: 'an exercise that puts the process to the test, or the profile',
  risk: 'a posture assessment',
  exercise: 'a completed exercise session',
  intel: 'threat intelligence that was taken in',
  compliance: 'an assessed compliance framework',
};

/** Of which category a question is, by its words; the first that fits decides. */
export const SUBJECTS: readonly { category: string; words: RegExp }[] = [
  { category: 'identity', words: /\b(?:account|user|admin|mfa|factor|group|sign-?in|privileg|guest|role)/i },
  { category: 'exercise', words: /\b(?:exercise|session|score|gap|tabletop|scenario|trained|table)/i },
  { category: 'intel', words: /\b(?:threat|actor|malware|campaign|intel|technique|indicator)/i },
  {
    category: 'compliance',
    words: /\b(?:complian|control|framework|audit|iso|nist|nis2|dora|pci|hipaa|soc)/i,
  },
  {
    category: 'technology',
    words: /\b(?:system|server|software|application|cloud|vendor|technology|device)/i,
  },
  { category: 'risk', words: /\b(?:risk|posture|exposure|grade)/i },
  { category: 'people', words: /\b(?:who|people|employee|member|team|staff|deputy)/i },
];

/** Why a fact does not answer, by its state. */
export const REASON_BY_STATE: Readonly<Record<AnswerFact['state'], string>> = {
  known: 'No fact answers this.',
  unknown: 'It was looked for and is not known.',
  not_permitted: 'A connector is not permitted to read this: grant it the permission that its test names.',
  not_licensed: 'The connected tenant’s licence does not include this.',
};
