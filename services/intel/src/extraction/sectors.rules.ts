import type { Find } from '../formats/reading.rules.ts';
import { isAdvice, type Sentence } from './passages.rules.ts';
import { SECTORS } from './sectors.data.ts';

const PATTERNS = SECTORS.map(
  ([value, words]) => [value, new RegExp(String.raw`\b(?:${words})\b`, 'gi')] as const,
);
/** A sector counts where the sentence says that it was hit or aimed at. */
const AIMED =
  /\b(?:target\w*|victims?|attack(?:s|ed|ing)?|against|hit(?:s|ting)?|compromis\w+|breach\w*|affect\w*|impact\w*|infect\w*|intrusions?|disrupt\w*|aim\w*|sectors?|industr(?:y|ies)|verticals?|organi[sz]ations in|entities in|campaign|espionage|ransom\w*|extort\w*|stole|leaked|listed|reported a case|broke into|entered|impersonat\w+|sent)\b/i;
const MAX_PLACES = 3;

/** The sectors that a text says were hit or aimed at, each in at most a few places. */
export function sectorsIn(sentences: readonly Sentence[]): Find[] {
  const found: Find[] = [];
  const places = new Map<string, number>();
  for (const sentence of sentences) {
    if (isAdvice(sentence) || !AIMED.test(sentence.text)) continue;
    for (const [value, pattern] of PATTERNS) {
      const match = sentence.text.matchAll(pattern).next().value;
      const seen = places.get(value) ?? 0;
      if (!match || seen === MAX_PLACES) continue;
      places.set(value, seen + 1);
      const start = sentence.start + match.index;
      found.push({ kind: 'sector', value, start, end: start + match[0].length, how: 'name' });
    }
  }
  return found;
}
