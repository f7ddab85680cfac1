import { PIECE, WORD_CHARACTER, type Word, wordsOf } from './words.rules.ts';

export interface Sentence {
  words: Word[];
  question: boolean;
}

const UPPER = /^\p{Lu}/u;
const LOWER = /^\p{Ll}/u;
const LOWER_OR_DIGIT = /^[\p{Ll}\p{N}]/u;
const BLANK = /^[^\S\n]$/u;

const ENDS = new Set('!?。！？．؟।');
const QUESTION_MARKS = new Set('?？؟');
const COMMAS = new Set(',;()[]{}|…，、；（）،•→');
const LABEL_MARKS = new Set(':=：');
const DASHES = new Set('–—―');
const ABBREVIATIONS = /^(e\.g|i\.e|eg|ie|etc|approx|vs|resp|incl|ca|dr|mr|ms)$/;
/** In characters: a line that was ended on purpose, not wrapped. */
const SHORT_LINE = 60;

/**
 * The sentences of a text with their words. A sentence ends at a full stop, question or exclamation mark, and at the
 * end of a line unless the next line goes on in lower case. Takes time in proportion to the length of the text.
 */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let words: Word[] = [];
  let mark: Word['mark'] = '';
  const close = (question: boolean) => {
    if (words.length > 0) sentences.push({ words, question });
    words = [];
    mark = '';
  };
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    if (!WORD_CHARACTER.test(piece)) {
      if (endsSentence(text, index, piece)) close(asks(text, index, piece));
      else mark = markOf(text, index, piece) || mark;
      continue;
    }
    for (const word of wordsOf(piece, index)) {
      words.push({ ...word, mark: words.length > 0 ? mark : '' });
      mark = '';
    }
  }
  close(false);
  return sentences;
}

function endsSentence(text: string, at: number, character: string): boolean {
  const next = text[at + 1] ?? '';
  if (character === '\n') return !LOWER.test(afterBlanks(text, at));
  if (ENDS.has(character)) return !LOWER_OR_DIGIT.test(next);
  if (character !== '.') return false;
  if (next === '.' || text[at - 1] === '.') return UPPER.test(afterBlanks(text, at));
  if (WORD_CHARACTER.test(next)) return UPPER.test(next) && LOWER_OR_DIGIT.test(text[at - 1] ?? '');
  return !(LOWER_OR_DIGIT.test(afterBlanks(text, at)) && ABBREVIATIONS.test(tokenBefore(text, at)));
}

/** The first character behind `at` that is no blank; a line break is not skipped. */
function afterBlanks(text: string, at: number): string {
  let next = at + 1;
  while (BLANK.test(text[next] ?? '')) next += 1;
  return text[next] ?? '';
}

function tokenBefore(text: string, at: number): string {
  const longest = text.slice(Math.max(0, at - 8), at).toLowerCase();
  return longest.slice(
    Math.max(longest.lastIndexOf(' '), longest.lastIndexOf('('), longest.lastIndexOf('\n')) + 1,
  );
}

function asks(text: string, at: number, character: string): boolean {
  return QUESTION_MARKS.has(character) || QUESTION_MARKS.has(text[at + 1] ?? '');
}

function markOf(text: string, at: number, character: string): Word['mark'] {
  if (LABEL_MARKS.has(character)) return ':';
  if (DASHES.has(character)) return '-';
  if (character === '-') return /^\s?$/.test(text[at - 1] ?? '') ? '-' : '';
  if (character === '.') return text[at + 1] === '.' ? ',' : '';
  if (character === '\n') return at - text.lastIndexOf('\n', at - 1) < SHORT_LINE ? ',' : '';
  return COMMAS.has(character) ? ',' : '';
}
