import { type Clause } from './clauses.rules.ts';
import type { CueRow } from './cues.rules.ts';
import { isAdverb, isBe, isFinite } from './grammar.rules.ts';
import type { Found } from './phrases.rules.ts';
import type { Word } from './sentences.rules.ts';

export type Cue = Found<CueRow>;

/** A sentence taken apart; the lists go by word, except that of the clauses. */
export interface Structure {
  words: readonly Word[];
  clauses: readonly Clause[];
  clauseOf: readonly number[];
  /** Whether it is about something that has happened. */
  settled: readonly boolean[];
  cues: readonly Cue[];
}

/** No cue reaches further; keeps the work linear in the length of a sentence. */
export const FURTHEST = 40;

/** The first of the auxiliaries and adverbs that stand directly before a word. */
export function helpersFrom(s: Structure, at: number): number {
  const from = s.clauses[s.clauseOf[at] ?? 0]?.from ?? 0;
  let first = at;
  for (let word = s.words[first - 1]; word && first > from; word = s.words[first - 1]) {
    if (!isFinite(word) && !isBe(word) && !isAdverb(word)) break;
    first -= 1;
  }
  return first;
}

/** Whether an auxiliary stands before the cue: "was not", "has never". */
export function helped(s: Structure, cue: Cue): boolean {
  return range(helpersFrom(s, cue.at), cue.at).some((at) => isHelper(s.words[at]));
}

/** Whether a participle follows the auxiliary: "was rejected", "has not". */
export function isParticiple(s: Structure, cue: Cue): boolean {
  return range(helpersFrom(s, cue.at), cue.at).some((at) => {
    const word = s.words[at];
    return word !== undefined && (isBe(word) || /^(has|have|had)$/.test(word.text));
  });
}

const isHelper = (word: Word | undefined) => word !== undefined && (isFinite(word) || isBe(word));
export const clauseIndex = (s: Structure, cue: Cue) => s.clauseOf[cue.end - 1] ?? 0;
export const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
