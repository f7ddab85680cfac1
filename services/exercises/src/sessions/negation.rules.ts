import { takenBack } from './afterthoughts.rules.ts';
import { wordsAhead } from './ahead.rules.ts';
import { wordsBehind } from './behind.rules.ts';
import { clausesOf, settledWords } from './clauses.rules.ts';
import { conditionalWords } from './conditions.rules.ts';
import { CUES, IDIOMS } from './cues.rules.ts';
import { isArticle, isBe, isPast } from './grammar.rules.ts';
import { findPhrases, phraseBook } from './phrases.rules.ts';
import type { Sentence, Word } from './sentences.rules.ts';
import { type Cue, range, type Structure } from './structure.rules.ts';

const CUE_BOOK = phraseBook(CUES.map((row) => ({ phrases: row.phrases, meaning: row })));
const IDIOM_BOOK = phraseBook([{ phrases: IDIOMS, meaning: 'idiom' }]);

/**
 * Reads a sentence for what it says was done.
 * @returns whether the word at an index is meant as done, for an entry of these stems: neither negated nor refused,
 *   considered or postponed. A cue that belongs to the entry itself ("do not pay") is not held against it.
 */
export function readSentence({ words, question }: Sentence): (at: number, entry: readonly string[]) => boolean {
  if (question) return () => false;
  const neutral = new Set(findPhrases(words, IDIOM_BOOK).flatMap(({ at, end }) => range(at, end)));
  const cues = findPhrases(words, CUE_BOOK).filter((cue) => !neutral.has(cue.at) && isCue(words, cue));
  const structure = structureOf(words, cues);
  const governing = words.map((): Cue[] => []);
  for (const cue of cues)
    for (const at of [...wordsAhead(structure, cue), ...wordsBehind(structure, cue)]) governing[at]?.push(cue);
  const undone = new Set([...conditionalWords(structure, neutral), ...takenBack(structure)]);
  return (at, entry) => !undone.has(at) && standsAsDone(words, governing[at] ?? [], entry);
}
