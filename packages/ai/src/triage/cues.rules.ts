import type { EventQuote } from '@muster/contracts';
import { type Keywords, keywordsOf, readDecision } from '../evidence/evidence.rules.ts';
import { CUES, type CueKind } from './cues.data.ts';
import type { EventField } from './event.ts';

const KEYWORDS = Object.entries(CUES).map(([kind, cues]): [CueKind, Keywords] => [
  kind as CueKind,
  keywordsOf(cues.split(', ')),
]);

/** Which cues stand in an event, neither negated nor supposed, each with the words, once a field. */
export function cuesIn(fields: readonly EventField[]): Map<CueKind, EventQuote[]> {
  const found = new Map<CueKind, EventQuote[]>();
  for (const { field, text } of fields) {
    const reading = readDecision(text);
    for (const [kind, keywords] of KEYWORDS) {
      const quote = reading.showing(keywords);
      if (quote !== null) found.set(kind, [...(found.get(kind) ?? []), { field, quote }]);
    }
  }
  return found;
}
