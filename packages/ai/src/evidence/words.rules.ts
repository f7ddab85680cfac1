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

/** A word with the apostrophes inside it, or any other character: nothing matches in two ways. */
export const PIECE = /[\p{L}\p{N}\p{M}\p{Cf}]+(?:['’ʼ＇`´][\p{L}\p{M}]+)*|\P{Surrogate}|\p{Surrogate}/gu;
export const WORD_CHARACTER = /^[\p{L}\p{N}\p{M}\p{Cf}]/u;
const INVISIBLE = /\p{Cf}/gu;
const APOSTROPHE = /['’ʼ＇`´]/u;
const ENGLISH = /^[a-z]+$/;
/** Scripts that put no space between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'word' });

/** What stands behind an apostrophe; a possessive says nothing. */
const ENDINGS: Readonly<Record<string, string>> = {
  ll: 'will',
  ve: 'have',
  re: 'are',
  d: 'would',
  m: 'am',
  s: '',
};
const SHORTENED: Readonly<Record<string, string>> = { wo: 'will', ca: 'can', sha: 'shall', ai: 'is' };
const WITHOUT_APOSTROPHE = /^(did|does|do|could|would|should|was|were|is|are|has|have|had|must|wo|ca)nt$/;
/** Longer than any English word; keeps the stemmer's work small. */
const LONGEST_STEMMED = 40;

/**
 * The words of a piece of text without spaces, that begins at `start` of the whole. Contractions are taken apart:
 * "didn't" is "did not", "host's" is "host".
 */
export function wordsOf(piece: string, start: number): Omit<Word, 'mark'>[] {
  if (UNSPACED.test(piece))
    return Array.from(SEGMENTER.segment(piece), ({ segment, index }) =>
      wordFrom(folded(segment), start + index, start + index + segment.length),
    );
  const [base = '', ...endings] = contracted(folded(piece)).split(APOSTROPHE);
  const isNegated = endings[0] === 't' && base.endsWith('n');
  const head = isNegated ? base.slice(0, -1) : base;
  const texts = isNegated
    ? [SHORTENED[head] ?? head, 'not']
    : [head, ...endings.map((one) => ENDINGS[one] ?? one)];
  return texts.filter((text) => text !== '').map((text) => wordFrom(text, start, start + piece.length));
}

function wordFrom(text: string, start: number, end: number): Omit<Word, 'mark'> {
  const isEnglish = ENGLISH.test(text) && text.length <= LONGEST_STEMMED;
  return { text, stem: isEnglish ? stemmer(text) : text, start, end };
}

function folded(piece: string): string {
  return piece.replaceAll(INVISIBLE, '').normalize('NFKC').toUpperCase().toLowerCase();
}

function contracted(text: string): string {
  if (text === 'cannot') return "can't";
  return WITHOUT_APOSTROPHE.test(text) ? `${text.slice(0, -1)}'t` : text;
}
