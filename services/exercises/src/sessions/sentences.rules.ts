import { stemmer } from 'stemmer';

export interface Word {
  /** NFKC, case folded. */
  text: string;
  /** Porter stem of an English word; any other word itself. */
  stem: string;
  /** Where it stands in the original text. */
  start: number;
  end: number;
  /** What separates it from the word before: `,` (brackets and semicolons too), `:`, a dash, or nothing. */
  mark: '' | ',' | ':' | '-';
}

export interface Sentence {
  words: Word[];
  question: boolean;
}

/** A word with the apostrophes inside it, or any other character: nothing matches in two ways. */
const PIECE = /[\p{L}\p{N}\p{M}\u00AD\u200C\u200D\u2060]+(?:['’ʼ＇`´][\p{L}\p{M}]+)*|[^]/gu;
const WORD_CHARACTER = /^[\p{L}\p{N}\p{M}\u00AD\u200C\u200D\u2060]/u;
const INVISIBLE = /[\u00AD\u200C\u200D\u2060]/gu;
const APOSTROPHE = /['’ʼ＇`´]/u;
const UPPER = /^\p{Lu}/u;
const LOWER = /^\p{Ll}/u;
const LOWER_OR_DIGIT = /^[\p{Ll}\p{N}]/u;
const BLANK = /^[^\S\n]$/u;
const ENGLISH = /^[a-z]+$/;

const ENDS = new Set('!?。！？．؟।');
const QUESTION_MARKS = new Set('?？؟');
const COMMAS = new Set(',;()[]{}|…，、；（）،•→');
const LABEL_MARKS = new Set(':=：');
const DASHES = new Set('–—―');
const ABBREVIATIONS = new Set(['e.g', 'i.e', 'eg', 'ie', 'etc', 'approx', 'vs', 'resp', 'incl', 'ca', 'dr', 'mr', 'ms']);

/** What stands behind an apostrophe; a possessive says nothing. */
const ENDINGS: Readonly<Record<string, string>> = { ll: 'will', ve: 'have', re: 'are', d: 'would', m: 'am', s: '' };
const SHORTENED: Readonly<Record<string, string>> = { wo: 'will', ca: 'can', sha: 'shall', ai: 'is' };
/** Contractions without their apostrophe. */
const JOINED = new Set(
  'cannot didnt doesnt dont couldnt wouldnt shouldnt wasnt werent isnt arent hasnt havent hadnt mustnt wont cant'.split(' '),
);
/** Longer than any English word; keeps the stemmer's work small. */
const LONGEST_STEMMED = 40;
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

/** A piece's words: contractions are taken apart, "didn't" being "did not" and "host's" being "host". */
function wordsOf(piece: string, start: number): Omit<Word, 'mark'>[] {
  const end = start + piece.length;
  const plain = piece.replaceAll(INVISIBLE, '').normalize('NFKC').toUpperCase().toLowerCase();
  const [base = '', ...endings] = JOINED.has(plain) ? apart(plain) : plain.split(APOSTROPHE);
  const negated = endings[0] === 't' && base.endsWith('n');
  const head = negated ? base.slice(0, -1) : base;
  const rest = endings.map((ending) => (negated && ending === 't' ? 'not' : (ENDINGS[ending] ?? ending)));
  return [negated ? (SHORTENED[head] ?? head) : head, ...rest]
    .filter((text) => text !== '')
    .map((text) => ({ text, stem: stemOf(text), start, end }));
}

function apart(joined: string): string[] {
  return joined === 'cannot' ? ['can', 'not'] : [joined.slice(0, -1), 't'];
}

function stemOf(text: string): string {
  return ENGLISH.test(text) && text.length <= LONGEST_STEMMED ? stemmer(text) : text;
}

function endsSentence(text: string, at: number, character: string): boolean {
  const next = text[at + 1] ?? '';
  if (character === '\n') return !LOWER.test(afterBlanks(text, at));
  if (ENDS.has(character)) return !ENGLISH.test(next.toLowerCase());
  if (character !== '.') return false;
  if (next === '.' || text[at - 1] === '.') return UPPER.test(afterBlanks(text, at));
  if (WORD_CHARACTER.test(next)) return UPPER.test(next) && LOWER_OR_DIGIT.test(text[at - 1] ?? '');
  return !(LOWER_OR_DIGIT.test(afterBlanks(text, at)) && ABBREVIATIONS.has(tokenBefore(text, at)));
}

/** The first character behind `at` that is no blank; a line break is not skipped. */
function afterBlanks(text: string, at: number): string {
  let next = at + 1;
  while (BLANK.test(text[next] ?? '')) next += 1;
  return text[next] ?? '';
}

function tokenBefore(text: string, at: number): string {
  const longest = text.slice(Math.max(0, at - 8), at).toLowerCase();
  return longest.slice(Math.max(longest.lastIndexOf(' '), longest.lastIndexOf('('), longest.lastIndexOf('\n')) + 1);
}

function asks(text: string, at: number, character: string): boolean {
  return QUESTION_MARKS.has(character) || QUESTION_MARKS.has(text[at + 1] ?? '');
}

function markOf(text: string, at: number, character: string): Word['mark'] {
  if (LABEL_MARKS.has(character)) return ':';
  if (DASHES.has(character)) return '-';
  if (character === '-') return /^\s?$/.test(text[at - 1] ?? '') ? '-' : '';
  if (character === '.') return text[at + 1] === '.' ? ',' : '';
  // A short line was ended on purpose; a long one was only wrapped.
  if (character === '\n') return at - text.lastIndexOf('\n', at - 1) < SHORT_LINE ? ',' : '';
  return COMMAS.has(character) ? ',' : '';
}
