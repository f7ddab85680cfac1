import { type Clause, clausesOf, rangeOf, settledWords } from './clauses.rules.ts';
import type { CueRow } from './cues.data.ts';
import { isAdverb, isAuxiliary, isBe } from './grammar.rules.ts';
import type { Found } from './phrases.rules.ts';
import type { Word } from './words.rules.ts';

export type Cue = Found<CueRow>;

/** A sentence taken apart. */
export interface Structure {
  words: readonly Word[];
  clauses: readonly Clause[];
  /** By word: the index of its clause. */
  clauseOf: readonly number[];
  /** By word: whether it is about something that has happened. */
  settled: readonly boolean[];
  /** By word: whether it belongs to a cue. */
  cued: readonly boolean[];
  /** By clause: the cues that begin in it. */
  cuesIn: readonly (readonly Cue[])[];
}

/** No cue reaches further, in words: the work stays linear in the length of a sentence. */
export const FURTHEST = 40;
const MOST_HELPERS = 6;

export function structureOf(words: readonly Word[], cues: readonly Cue[]): Structure {
  const clauses = clausesOf(words);
  const clauseOf = clauses.flatMap(({ index, from, to }) => rangeOf(from, to).map(() => index));
  const cuesIn = clauses.map((): Cue[] => []);
  const cued = words.map(() => false);
  for (const cue of cues) {
    cuesIn[clauseOf[cue.at] ?? 0]?.push(cue);
    cued.fill(true, cue.at, cue.end);
  }
  return { words, clauses, clauseOf, settled: settledWords(words, clauses), cued, cuesIn };
}

/** Whether the word at an index is of a kind; false where there is none. */
export function is(s: Structure, at: number, kind: (word: Word) => boolean): boolean {
  const word = s.words[at];
  return word !== undefined && kind(word);
}

/** The clause in which a cue ends. */
export function clauseAt(s: Structure, at: number): Clause | undefined {
  return s.clauses[s.clauseOf[at] ?? -1];
}

/** The first of the auxiliaries and adverbs that stand directly before a word: "has never been", "was definitely". */
export function helpersFrom(s: Structure, at: number): number {
  const from = Math.max(clauseAt(s, at)?.from ?? 0, at - MOST_HELPERS);
  let first = at;
  while (first > from && is(s, first - 1, (word) => isAuxiliary(word) || isBe(word) || isAdverb(word)))
    first -= 1;
  return first;
}

/** Whether an auxiliary stands before the cue: "was not", "has never". */
export function isHelped(s: Structure, cue: Cue): boolean {
  return rangeOf(helpersFrom(s, cue.at), cue.at).some((at) =>
    is(s, at, (word) => isAuxiliary(word) || isBe(word)),
  );
}

/** Whether a participle belongs to the auxiliary before the cue: "was rejected", "has not". */
export function isParticiple(s: Structure, cue: Cue): boolean {
  const takes = (word: Word) => isBe(word) || /^(has|have|had)$/.test(word.text);
  return rangeOf(helpersFrom(s, cue.at), cue.at).some((at) => is(s, at, takes));
}
