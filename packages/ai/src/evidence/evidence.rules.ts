import { readSentence } from './negation.rules.ts';
import { cut, LONGEST_QUOTE } from './passages.rules.ts';
import { type Sentence, sentencesOf } from './sentences.rules.ts';

/** An action's keywords: alternatives, each the stems of the words that must stand in one sentence. */
export type Keywords = readonly (readonly string[])[];

export interface Decision {
  /** A sentence, as it was written, that shows an action with these keywords; null if none does. */
  showing(keywords: Keywords): string | null;
}

/** In "do not pay" the auxiliary says nothing, so that "won't pay" fits it too. */
const AUXILIARIES = /^(do|does|did|will|would|can|could|shall|should|is|are|was|were|has|have|had|must)$/;

/** Keywords as they are looked for; an entry without a word is left out, since nothing could show it. */
export function keywordsOf(keywords: readonly string[]): Keywords {
  return keywords
    .map((entry) => sentencesOf(entry).flatMap(({ words }) => words))
    .map((words) =>
      words.filter(({ text }, at) => !(AUXILIARIES.test(text) && words[at + 1]?.text === 'not')),
    )
    .map((words) => [...new Set(words.map(({ stem }) => stem))])
    .filter((stems) => stems.length > 0);
}

/**
 * Reads a decision (any text) for the actions it shows: the words of one keyword entry stand in one sentence, each of
 * them at least once neither negated nor refused, considered or postponed. Linear in the length of the text.
 */
export function readDecision(text: string): Decision {
  const sentences = sentencesOf(text);
  const places = placesOf(sentences);
  const readings = new Map<number, ReturnType<typeof readSentence>>();
  const reading = (index: number, sentence: Sentence) => {
    const known = readings.get(index) ?? readSentence(sentence);
    readings.set(index, known);
    return known;
  };
  const sentenceWith = (entry: readonly string[]): number | undefined => {
    const byStem = entry.map((stem) => places.get(stem) ?? new Map<number, number[]>());
    const rarest = byStem.reduce((one, other) => (other.size < one.size ? other : one));
    return [...rarest.keys()].find((index) => {
      const sentence = sentences[index];
      if (!sentence || !byStem.every((place) => place.has(index))) return false;
      const isDone = reading(index, sentence);
      return byStem.every((place) => place.get(index)?.some((at) => isDone(at, entry)));
    });
  };
  return {
    showing(keywords) {
      let earliest: { index: number; entry: readonly string[] } | undefined;
      for (const entry of keywords) {
        const index = sentenceWith(entry);
        if (index !== undefined && index < (earliest?.index ?? sentences.length)) earliest = { index, entry };
      }
      const sentence = sentences[earliest?.index ?? -1];
      return sentence && earliest ? quoteOf(text, sentence, earliest.entry) : null;
    },
  };
}

/** Where each stem stands: by sentence, its indexes among the words. */
function placesOf(sentences: readonly Sentence[]): Map<string, Map<number, number[]>> {
  const places = new Map<string, Map<number, number[]>>();
  for (const [index, { words }] of sentences.entries()) {
    for (const [at, { stem }] of words.entries()) {
      const bySentence = places.get(stem) ?? new Map<number, number[]>();
      places.set(stem, bySentence);
      const indexes = bySentence.get(index);
      if (indexes) indexes.push(at);
      else bySentence.set(index, [at]);
    }
  }
  return places;
}

/** The sentence as written; of one longer than 300 characters, whole words from the first that fits the entry. */
function quoteOf(text: string, { words }: Sentence, entry: readonly string[]): string {
  const end = words.at(-1)?.end ?? 0;
  const start = words[0]?.start ?? 0;
  if (end - start <= LONGEST_QUOTE) return text.slice(start, end);
  const from = words.find(({ stem }) => entry.includes(stem))?.start ?? start;
  const last = words.findLast((word) => word.start >= from && word.end - from <= LONGEST_QUOTE);
  return cut(text.slice(from, last?.end ?? from + LONGEST_QUOTE));
}
