import { sentencesOf } from './sentences.rules.ts';
import type { Word } from './words.rules.ts';

interface PhraseWord {
  stem: string;
  /** The one form that is meant; null for any of the stem. */
  form: string | null;
  /** Up to four other words may stand before it. */
  afterGap: boolean;
}
interface Phrase<Meaning> {
  meaning: Meaning;
  words: readonly PhraseWord[];
}
/** Phrases by the stem of their first word, the longest first. */
export type PhraseBook<Meaning> = ReadonlyMap<string, readonly Phrase<Meaning>[]>;

export interface Found<Meaning> {
  meaning: Meaning;
  /** The first word, and the one behind the last. */
  at: number;
  end: number;
}

const LONGEST_GAP = 4;

/** Reads phrases separated by commas; `…` is a gap, `=word` this form of the word only. */
export function phraseBook<Meaning>(
  rows: readonly { phrases: string; meaning: Meaning }[],
): PhraseBook<Meaning> {
  const all = rows.flatMap(({ phrases, meaning }) =>
    phrases.split(', ').map((phrase) => ({ meaning, words: phraseWords(phrase) })),
  );
  const longestFirst = all.sort((one, other) => other.words.length - one.words.length);
  return Map.groupBy(longestFirst, ({ words }) => words[0]?.stem ?? '');
}

/** The phrases in these words, from left to right; none crosses a punctuation mark. */
export function findPhrases<Meaning>(words: readonly Word[], book: PhraseBook<Meaning>): Found<Meaning>[] {
  const found: Found<Meaning>[] = [];
  for (let at = 0; at < words.length; at += 1) {
    for (const phrase of book.get(words[at]?.stem ?? '') ?? []) {
      const end = endOf(words, at, phrase.words);
      if (end === null) continue;
      found.push({ meaning: phrase.meaning, at, end });
      break;
    }
  }
  return found;
}

function phraseWords(phrase: string): PhraseWord[] {
  const parts = phrase.split(' ');
  return parts.flatMap((part, index) => {
    const stem = sentencesOf(part)[0]?.words[0]?.stem;
    if (stem === undefined) return [];
    return { stem, form: part.startsWith('=') ? part.slice(1) : null, afterGap: parts[index - 1] === '…' };
  });
}

function endOf(words: readonly Word[], at: number, phrase: readonly PhraseWord[]): number | null {
  let next = at;
  for (const [index, wanted] of phrase.entries()) {
    const last = wanted.afterGap ? next + LONGEST_GAP : next;
    let fits = false;
    for (; next <= last && !fits; next += 1) {
      const word = words[next];
      if (!word || (index > 0 && word.mark !== '')) return null;
      fits = word.stem === wanted.stem && (wanted.form === null || word.text === wanted.form);
    }
    if (!fits) return null;
  }
  return next;
}
