import { takenBack } from './afterthoughts.rules.ts';
import { wordsAhead } from './ahead.rules.ts';
import { wordsBehind } from './behind.rules.ts';
import { rangeOf } from './clauses.rules.ts';
import { conditionalWords } from './conditions.rules.ts';
import { CUES, IDIOMS } from './cues.data.ts';
import { isAdverb, isArticle, isDeterminer, isPast } from './grammar.rules.ts';
import { findPhrases, phraseBook } from './phrases.rules.ts';
import type { Sentence } from './sentences.rules.ts';
import { type Cue, structureOf } from './structure.rules.ts';
import type { Word } from './words.rules.ts';

const CUE_BOOK = phraseBook(CUES.map((row) => ({ phrases: row.phrases, meaning: row })));
const IDIOM_BOOK = phraseBook([{ phrases: IDIOMS, meaning: 'idiom' }]);
/** Verbs that ask, as stems. */
const ASKING =
  /^(ask|check|see|verifi|determin|know|wonder|clarifi|confirm|decid|assess|investig|test|find|review|analys)$/;
/** How far before "if" such a verb makes it mean "whether". */
const ASKED_WITHIN = 3;
const ASKED_BEFORE = 8;
const DIGITS = /^\d/;
const CHOSEN = /^(chose|chosen|choose|took|take|selected|picked)$/;
const CHOSEN_WITHIN = 3;

/**
 * Reads a sentence for what it says was done.
 * @returns whether the word at an index is meant as done, for an entry of these stems: neither negated nor refused,
 *   considered or postponed. A cue that belongs to the entry itself ("do not pay") is not held against it.
 */
export function readSentence({
  words,
  question,
}: Sentence): (at: number, entry: readonly string[]) => boolean {
  if (question) return () => false;
  const neutral = new Set(findPhrases(words, IDIOM_BOOK).flatMap(({ at, end }) => rangeOf(at, end)));
  const cues = findPhrases(words, CUE_BOOK).filter((cue) => !neutral.has(cue.at) && isCue(words, cue));
  const structure = structureOf(words, cues);
  const governing = words.map((): Cue[] => []);
  for (const cue of cues) for (const at of reachOf(cue)) governing[at]?.push(cue);
  const undone = new Set([...conditionalWords(structure, neutral), ...takenBack(structure)]);
  return (at, entry) => !undone.has(at) && isMeantAsDone(words, governing[at] ?? [], entry);

  function reachOf(cue: Cue): number[] {
    const reached = [...wordsAhead(structure, cue), ...wordsBehind(structure, cue)];
    return cue.meaning.behind === 'undone' ? reached.filter((at) => !structure.settled[at]) : reached;
  }
}

function isMeantAsDone(words: readonly Word[], cues: readonly Cue[], entry: readonly string[]): boolean {
  const against = cues.filter((cue) => !belongs(words, cue, entry));
  const turned = (turn: Cue['meaning']['turn']) => against.filter((cue) => cue.meaning.turn === turn).length;
  if (turned('doubts') > 0) return false;
  return turned('negates') > 0 === (turned('reverses') % 2 === 1);
}

/** Whether a cue is part of what the entry looks for. */
function belongs(words: readonly Word[], { at, end, meaning }: Cue, entry: readonly string[]): boolean {
  if (words.slice(at, end).every(({ stem }) => entry.includes(stem))) return true;
  const asking = meaning.asks ? askingVerb(words, at, ASKED_BEFORE) : undefined;
  return asking !== undefined && entry.includes(asking.stem);
}

function askingVerb(words: readonly Word[], at: number, within: number): Word | undefined {
  return words.slice(Math.max(0, at - within), at).findLast(({ stem }) => ASKING.test(stem));
}

/** Whether the words of a cue are used as one; those of "the delay", "as discussed" and "12 May" are not. */
function isCue(words: readonly Word[], { at, end, meaning }: Cue): boolean {
  const [before, word, behind] = [words[at - 1], words[at], words[end]];
  if (!word) return false;
  if (meaning.modal && word.text === 'may' && [before, behind].some((near) => near && DIGITS.test(near.text)))
    return false;
  if (word.text === 'option')
    return !words.slice(Math.max(0, at - CHOSEN_WITHIN), at).some(({ text }) => CHOSEN.test(text));
  if (word.text === 'if') return askingVerb(words, at, ASKED_WITHIN) !== undefined;
  if (!before || word.mark !== '') return true;
  if (meaning.verb && (isArticle(before) || before.text === 'as')) return false;
  return !(isDeterminer(before) && behind && (isPast(behind) || isAdverb(behind)));
}
