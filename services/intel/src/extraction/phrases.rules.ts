import type { Range } from '../formats/reading.rules.ts';

/** A word of a text, folded, with its place. */
interface Word extends Range {
  folded: string;
}
interface Entry<Value> {
  words: string[];
  value: Value;
}
export interface PhraseMatch<Value> extends Range {
  value: Value;
}

const WORD = /[\p{L}\p{N}]+/gu;
/** What may stand between the words of one phrase. */
const JOINT = /^(?:[ \u00a0]|[-–‑/_.$#]| ?[-/] ?)?$/;
const MAX_WORDS = 200_000;

/** A word without capitals, accents and the plural. */
export function foldWord(word: string): string {
  const plain = word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.length > 3 && /[^s]s$/.test(plain) ? plain.slice(0, -1) : plain;
}

/** A phrase as its folded words, one space apart. */
export const foldPhrase = (text: string) =>
  wordsOf(text, foldWord)
    .map(({ folded }) => folded)
    .join(' ');

/**
 * Looks for many phrases at once: where phrases overlap, the longest counts. Linear in the length of the text.
 * @param fold makes words that are the same equal, such as {@link foldWord}
 */
export function phraseFinder<Value>(phrases: Iterable<readonly [string, Value]>, fold = foldWord) {
  const byFirst = new Map<string, Entry<Value>[]>();
  for (const [phrase, value] of phrases) {
    const words = wordsOf(phrase, fold).map(({ folded }) => folded);
    const [first] = words;
    if (first === undefined) continue;
    byFirst.set(first, [...(byFirst.get(first) ?? []), { words, value }]);
  }
  for (const entries of byFirst.values()) entries.sort((one, other) => other.words.length - one.words.length);

  return (text: string): PhraseMatch<Value>[] => {
    const words = wordsOf(text, fold);
    const found: PhraseMatch<Value>[] = [];
    for (let at = 0; at < words.length; at += 1) {
      const entries = byFirst.get(words[at]?.folded ?? '') ?? [];
      const matching = entries.filter((entry) => standsAt(text, words, at, entry.words));
      const longest = matching[0]?.words.length ?? 0;
      for (const { words: parts, value } of matching.filter((entry) => entry.words.length === longest)) {
        const start = words[at]?.start ?? 0;
        found.push({ value, start, end: words[at + parts.length - 1]?.end ?? start });
      }
      at += Math.max(0, longest - 1);
    }
    return found;
  };
}

function wordsOf(text: string, fold: (word: string) => string): Word[] {
  const found: Word[] = [];
  for (const match of text.matchAll(WORD)) {
    const [word] = match;
    found.push({ folded: fold(word), start: match.index, end: match.index + word.length });
    if (found.length === MAX_WORDS) break;
  }
  return found;
}

function standsAt(text: string, words: readonly Word[], at: number, wanted: readonly string[]): boolean {
  return wanted.every((word, offset) => {
    const here = words[at + offset];
    if (here?.folded !== word) return false;
    const before = words[at + offset - 1];
    return offset === 0 || (before !== undefined && JOINT.test(text.slice(before.end, here.start)));
  });
}
