import { isFunction } from './grammar.rules.ts';
import { sentencesOf } from './sentences.rules.ts';

/** A sentence of a text, as it was written, with the stems of the words that carry its meaning. */
export interface Passage {
  quote: string;
  stems: ReadonlySet<string>;
}

export const LONGEST_QUOTE = 300;
const HIGH_SURROGATE = /[\uD800-\uDBFF]$/;

/** The sentences of a text that hold a word; a long one is cut to 300 characters. Linear in the length of the text. */
export function passagesOf(text: string): Passage[] {
  return sentencesOf(text).map(({ words }) => {
    const start = words[0]?.start ?? 0;
    const end = words.at(-1)?.end ?? start;
    const last = words.findLast((word) => word.end - start <= LONGEST_QUOTE)?.end;
    return {
      quote: cut(text.slice(start, end - start <= LONGEST_QUOTE ? end : (last ?? start + LONGEST_QUOTE))),
      stems: new Set(words.filter((word) => !isFunction(word)).map(({ stem }) => stem)),
    };
  });
}

/** The stems of the words of a text that carry its meaning. */
export function meaningOf(text: string): Set<string> {
  return new Set(passagesOf(text).flatMap(({ stems }) => [...stems]));
}

/** How many members two sets have in common. */
export function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  return [...few].filter((member) => many.has(member)).length;
}

/** Without half of a character at its end, which no encoding could carry. */
export function cut(text: string): string {
  return HIGH_SURROGATE.test(text) ? text.slice(0, -1) : text;
}
