import type { Word } from './words.rules.ts';

const listed = (words: string) => {
  const list = new Set(words.split(' '));
  return ({ text }: Word) => list.has(text);
};

/** Pronouns that are subjects: where one stands, a clause of its own begins. */
export const isSubject = listed('i we they he she it you everyone everybody someone somebody');
export const isRelative = listed('that which who whose');
export const isComplementizer = listed('that whether if how why what which who whose');
export const isBe = listed('be been being am is are was were get gets got');
export const isAuxiliary = listed(
  'am is are was were has have had do does did will would shall should can could may might must',
);
export const isFuture = listed('will would shall should can could may might must going');
export const isArticle = listed('a an the this these those our their its his her my your any every no');
export const isDeterminer = listed(
  'a an the this these those our their its his her my your any all every each some both another first last',
);
export const isPreposition = listed(
  'in on at of by for with within from into over under about as during despite given due per upon to ' +
    'of against until till',
);
/** The phrase that one of these opens is not what the sentence is about. */
export const isAside = listed('after following since with during despite besides through upon');
/** Words that keep a verb from being a thing done. */
const isParticle = listed(
  'also ever even yet still just already far really quite now too well again very actually either ' +
    'anyway instead only more much initially up out down off immediately',
);
const isCoordinator = listed(
  'and or but nor however although though then so because if unless when once whenever while whereas ' +
    'since after yet not there',
);
/** Verbs whose past form is the bare one. */
export const isUnchangedPast = listed('reset cut shut put set let split quit');
export const isHaste = listed('now immediately today straightaway instantly directly promptly first already');
/** What became of a plan: "not done", "was necessary". */
export const isStatus = listed(
  'done needed necessary possible required approved performed ordered carried executed considered ' +
    'feasible started initiated completed authorised authorized taken made available applicable option ' +
    'allowed permitted agreed happen',
);
/** Words by which a discussed plan became a decision. */
export const isDecided = listed(
  'approved agreed decided ordered done performed carried executed implemented started initiated ' +
    'completed confirmed authorised authorized',
);
/** After one of these the thing itself is still to be done. */
const INTENTS = new Set(
  (
    'decided agreed planned wanted tried attempted proposed ordered approved chose chosen asked told ' +
    'instructed requested intended preferred scheduled resolved voted committed promised hoped ' +
    'left moved pushed needed prepared proposal plan idea suggestion request motion'
  ).split(' '),
);
const IRREGULAR_PASTS = new Set(
  (
    'told took taken sent went gone gave given made began begun held kept ran brought rebuilt built ' +
    'froze frozen found wrote written left meant met paid said saw seen sought spoke spoken done knew ' +
    'known drew drawn withdrew withdrawn undid undone understood lost caught bought chose chosen led hid ' +
    'hidden broke broken fell felt came became got overrode spent stood was were did had'
  ).split(' '),
);
const NO_PASTS = new Set(
  'need exceed proceed succeed speed feed seed indeed embed hundred bed red shed naked breed bleed'.split(
    ' ',
  ),
);
const NOUN_ENDINGS = ['ing', 'tion', 'sion', 'ment', 'ance', 'ence', 'tions', 'ments'] as const;

/** A past form: "isolated", "told". "Isolated" before a noun looks the same. */
export function isPast({ text }: Word): boolean {
  return IRREGULAR_PASTS.has(text) || (text.length > 3 && text.endsWith('ed') && !NO_PASTS.has(text));
}

export function isIntent({ text }: Word): boolean {
  return INTENTS.has(text);
}

/** A verb made a noun: "isolation", "isolating". */
export function isNominal({ text }: Word): boolean {
  return text.length > 4 && NOUN_ENDINGS.some((ending) => text.endsWith(ending));
}

export function isAdverb(word: Word): boolean {
  return isParticle(word) || (word.text.length > 4 && word.text.endsWith('ly'));
}

/** A word that names nothing itself. */
export function isFunction(word: Word): boolean {
  return (
    isSubject(word) ||
    isAuxiliary(word) ||
    isBe(word) ||
    isDeterminer(word) ||
    isPreposition(word) ||
    isRelative(word) ||
    isCoordinator(word) ||
    isAdverb(word)
  );
}
