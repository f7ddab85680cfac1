import { keywordsOf, readDecision } from '@muster/ai/evidence';
import { behaviourIn } from '@muster/ai/techniques';
import { techniqueOf } from '@muster/attack';
import type { Find } from '../formats/reading.rules.ts';
import { DEEDS, EXTRA_CUES, REWORDINGS } from './behaviours.data.ts';
import { isAdvice, type Sentence } from './passages.rules.ts';

const CUES = Object.entries(DEEDS).map(([id, deeds]) => ({ id, keywords: keywordsOf(deeds.split(', ')) }));

/**
 * The techniques whose behaviour sentences describe as done, each with the first sentence that does.
 * @param indicators what stands in the sentences and is no part of what they tell
 */
export function behavioursIn(sentences: readonly Sentence[], indicators: readonly Find[]): Find[] {
  const told = sentences.filter(
    (sentence) => !isAdvice(sentence) && sentence.section !== 'indicators' && !isHeading(sentence),
  );
  const { text, sentenceOf } = accountOf(told, indicators);
  const reading = readDecision(text);
  const deeds = CUES.flatMap(({ id, keywords }) => {
    const quote = reading.showing(keywords);
    return quote === null ? [] : [{ id, quote }];
  });
  const events = behaviourIn(text);
  const found = new Map<string, Find>();
  const fitting = [...deeds, ...events].filter(({ id, quote }) => EXTRA_CUES[id]?.test(quote) ?? true);
  for (const { id, quote } of fitting) {
    const technique = techniqueOf(id);
    const sentence = sentenceOf(text.indexOf(quote));
    if (!technique || !sentence || found.has(technique.id)) continue;
    const { start, end } = sentence;
    found.set(technique.id, { kind: 'technique', value: technique.id, start, end, how: 'behaviour' });
  }
  return [...found.values()];
}

const isHeading = ({ text }: Sentence) => !/[.!?]/.test(text) && text.split(' ').length < MIN_WORDS;

const MIN_WORDS = 5;

/** Sentences as one text, a line each, in which indicators are words without marks; and which sentence stands where. */
function accountOf(sentences: readonly Sentence[], indicators: readonly Find[]) {
  const starts: number[] = [];
  let text = '';
  let next = 0;
  for (const sentence of sentences) {
    starts.push(text.length);
    let line = sentence.text;
    while ((indicators[next]?.end ?? Number.POSITIVE_INFINITY) <= sentence.start) next += 1;
    for (let at = next; (indicators[at]?.start ?? Number.POSITIVE_INFINITY) < sentence.end; at += 1) {
      const { start = 0, end = 0 } = indicators[at] ?? {};
      const [from, to] = [Math.max(0, start - sentence.start), Math.max(0, end - sentence.start)];
      line = line.slice(0, from) + line.slice(from, to).replace(/./gsu, 'x') + line.slice(to);
    }
    text += `${REWORDINGS.reduce((said, [word, other]) => said.replace(word, other), line).replaceAll('\n', ' ')}\n`;
  }
  const sentenceOf = (at: number) =>
    at < 0 ? undefined : sentences[starts.findLastIndex((start) => start <= at)];
  return { text, sentenceOf };
}
