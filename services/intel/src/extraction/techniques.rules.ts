import { TACTICS, TECHNIQUES, type Technique, techniqueOf } from '@muster/attack';
import type { Find } from '../formats/reading.rules.ts';
import { isAdvice, type Sentence, sentenceAt } from './passages.rules.ts';
import { foldPhrase, phraseFinder } from './phrases.rules.ts';
import { ORDINARY_TECHNIQUES } from './techniques.data.ts';

const ID = /(?<![\p{L}\p{N}.])T(\d{4})(?:[./](\d{3}))?(?![\p{L}\p{N}])/gu;
const PREPARATION = new Set(['reconnaissance', 'resource-development']);

const ORDINARY = new Set(ORDINARY_TECHNIQUES.map(foldPhrase));
const ABOUT_TECHNIQUES = /\b(?:MITRE|ATT&CK|techniques?|TTPs?|tactics?|T\d{4}(?:\.\d{3})?)\b/;

interface Name {
  technique: Technique;
  /** Must stand where the text speaks of techniques. */
  ordinary: boolean;
}

const current = TECHNIQUES.filter(({ replaced_by }) => replaced_by === undefined);
const ownNames = new Set(current.map(({ name }) => name));
const parentOf = ({ id }: Technique) => (id.includes('.') ? techniqueOf(id.slice(0, 5)) : undefined);
const isPreparation = ({ tactics }: Technique) => tactics.every((tactic) => PREPARATION.has(tactic));
const find = phraseFinder(
  current.flatMap((technique) => namesOf(technique).map((name) => [name, nameOf(technique, name)] as const)),
);
const findTactic = phraseFinder(TACTICS.map(({ name, phase }) => [name, phase] as const));

/** "Scheduled Task" is a part of one name, and another technique's own. */
function isFree(name: string, at: number): boolean {
  return at === 0 || !ownNames.has(name);
}

/** As it is written, and both parts of one like "Scheduled Task/Job". */
function namesOf({ name }: Technique): string[] {
  const [, head = '', one = '', other = ''] = /^(?:(.*) )?([^ /]+)\/([^ /]+)$/.exec(name) ?? [];
  return one === '' || head === '' ? [name] : [name, `${head} ${one}`, `${head} ${other}`].filter(isFree);
}

function nameOf(technique: Technique, name: string): Name {
  const folded = foldPhrase(name);
  const words = folded.split(' ').length;
  const ordinary =
    ORDINARY.has(folded) ||
    (isPreparation(technique) && words < 3 && !/malvertising|seo poisoning|scanning|spearphish/.test(folded));
  return { technique, ordinary };
}

/** The techniques that a text names by id; what was revoked is what took its place. */
export function techniqueIdsIn(text: string): Find[] {
  return [...text.matchAll(ID)].flatMap((match) => {
    const [words, number, sub] = match;
    const technique = techniqueOf(sub ? `T${number}.${sub}` : `T${number}`);
    if (!technique) return [];
    return [
      {
        kind: 'technique',
        value: technique.id,
        start: match.index,
        end: match.index + words.length,
        how: 'id',
      } as const,
    ];
  });
}

/** The techniques that sentences about what happened call by their name. */
export function techniqueNamesIn(text: string, sentences: readonly Sentence[]): Find[] {
  const found: Find[] = [];
  for (const [place, names] of byPlace(find(text))) {
    const [start = 0, end = 0] = place.split(' ').map(Number);
    const sentence = sentenceAt(sentences, start);
    if (!sentence || end > sentence.end) continue;
    const isList = sentence.section === 'techniques';
    if (!isList && isAdvice(sentence)) continue;
    const chosen = choose(names, sentence, text.slice(start, end), isList);
    if (chosen) found.push({ kind: 'technique', value: chosen.id, start, end, how: 'name' });
  }
  return found;
}

function byPlace(matches: ReturnType<typeof find>): Map<string, Name[]> {
  const places = new Map<string, Name[]>();
  for (const { start, end, value } of matches) {
    const place = `${start} ${end}`;
    places.set(place, [...(places.get(place) ?? []), value]);
  }
  return places;
}

/** Of the techniques with one name, the one that the sentence means: by its parent, else by what is usual. */
function choose(
  names: readonly Name[],
  { text }: Sentence,
  words: string,
  isList: boolean,
): Technique | null {
  const hasParent = ({ technique }: Name) => {
    const parent = parentOf(technique);
    return parent !== undefined && (text.includes(parent.name) || text.includes(parent.id));
  };
  const meant = names.find(hasParent);
  if (meant) return meant.technique;
  const [usual] = [...names].sort((one, other) => rarity(one) - rarity(other));
  if (!usual) return null;
  if (!usual.ordinary) return usual.technique;
  // "Proxy" and "Software" are techniques only where a list of techniques writes them as such.
  const isTitle = /^\p{Lu}/u.test(words);
  const speaks = ABOUT_TECHNIQUES.test(text) || (isList && findTactic(text).length > 0);
  return isTitle && speaks && names.length === 1 && words.includes(' ') ? usual.technique : null;
}

/** The enterprise's techniques before those against control systems, intrusion before preparation. */
const rarity = ({ technique }: Name) =>
  (technique.domain === 'ics' ? 2 : 0) + (isPreparation(technique) ? 1 : 0);
