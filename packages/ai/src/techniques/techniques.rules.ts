import { techniqueCanExist } from '@muster/contracts';
import { keywordsOf, readDecision } from '../evidence/evidence.rules.ts';
import { EFFECTS } from './effects.data.ts';
import { INTRUSION } from './intrusion.data.ts';
import { STAGES, type Stage, type Technique } from './technique.ts';

const ALL: readonly Technique[] = [...INTRUSION, ...EFFECTS];
const BY_ID = new Map(ALL.map((technique) => [technique.id, technique]));
const CUES = ALL.map(({ id, name, cues }) => ({ id, keywords: keywordsOf([name, ...cues.split(', ')]) }));
const ID = /\bT\d{4}(?:\.\d{3})?\b/g;

/** What is known of a technique or, for a sub-technique, of the one that it belongs to; undefined for one not known. */
export function techniqueOf(id: string): Technique | undefined {
  return BY_ID.get(id.slice(0, 5));
}

/** How far an intrusion is that shows this technique; of one that is not known, in the middle. */
export function stageOf(id: string): Stage {
  return techniqueOf(id)?.stage ?? (id.startsWith('T08') || id.startsWith('T09') ? 'impact' : 'execution');
}

/** Technique ids, those of the earliest stage first; of one stage by number. */
export function byStage(ids: readonly string[]): string[] {
  return [...new Set(ids)].sort(
    (one, other) => STAGES.indexOf(stageOf(one)) - STAGES.indexOf(stageOf(other)) || (one < other ? -1 : 1),
  );
}

/** The techniques that a text names by id, each once. */
export function idsIn(text: string): string[] {
  return [...new Set(text.match(ID) ?? [])].filter(techniqueCanExist);
}

/** The techniques whose behaviour a text describes, neither negated nor supposed, with the sentence that does. */
export function behaviourIn(text: string): { id: string; quote: string }[] {
  const reading = readDecision(text);
  return CUES.flatMap(({ id, keywords }) => {
    const quote = reading.showing(keywords);
    return quote === null ? [] : [{ id, quote }];
  });
}
