import { ACTORS, SOFTWARE } from '@muster/attack';
import type { Find } from '../formats/reading.rules.ts';
import { ACTOR_WORDS, EVERYDAY_TOOLS, MALWARE_WORDS, ORDINARY_NAMES } from './names.data.ts';
import { type Sentence, sentenceAt } from './passages.rules.ts';
import { phraseFinder } from './phrases.rules.ts';

type Kind = 'actor' | 'malware' | 'tool';
interface Name {
  kind: Kind;
  /** The canonical name. */
  value: string;
  /** As ATT&CK writes it, or one of its aliases. */
  written: string;
  id: string;
}

const NAMED = String.raw`(?:known as|called|named|dubbed|tracked as|tracks? (?:this|it|them) as|a\.?k\.?a\.?|alias(?:es)?|attributed to|attribute[sd]? .{0,30} to|linked to|associated with|also (?:known|tracked) as|deploy(?:s|ed|ing)|dropp(?:s|ed|ing))`;
const LIST = String.raw`(?:,? (?:and |or |& )?[A-Z][\w.-]{1,30}(?: [A-Z][\w.-]{1,30})?){0,5}`;
const BEHIND = new RegExp(
  String.raw`^["”')]*(?:${LIST})(?:[\s/-]{1,5}(?:\w{1,30}[\s-])?)(?:${MALWARE_WORDS}|${ACTOR_WORDS})\b`,
  'i',
);
const BEFORE = new RegExp(
  String.raw`(?:\b(?:${MALWARE_WORDS}|${ACTOR_WORDS}|${NAMED})[\s,:]*["“'(]?|\((?:aka |also )?)$`,
  'i',
);
const ONLY_MALWARE =
  /^["”')]*[\s/-]+(?:malware|backdoor|trojan|rat|loader|stealer|botnet|wiper|implant|encryptor|payload)\b/i;
const ONLY_ACTOR =
  /^["”')]*(?:['’]s)?[\s/-]+(?:group|gang|apt|actors?|operators|affiliates|hackers|threat (?:actors?|group))\b/i;
/** Said of somebody else. */
const COMPARED =
  /\b(?:unlike|not (?:related|linked|connected|attributed) to|no (?:link|connection|relation) (?:to|with)|rather than|distinct from|not to be confused with|similar to|reminiscent of|compared (?:to|with))\b.{0,25}$/i;

const names: [string, Name][] = [
  ...ACTORS.flatMap(({ id, name, aliases }) =>
    [name, ...aliases].map((written) => nameOf('actor', { id, name, written })),
  ),
  ...SOFTWARE.filter(({ name }) => !EVERYDAY_TOOLS.has(name)).flatMap(({ id, name, kind, aliases }) =>
    [name, ...aliases].map((written) => nameOf(kind, { id, name, written })),
  ),
].filter(([phrase]) => phrase.replaceAll(/[^\p{L}\p{N}]/gu, '').length > 1);

function nameOf(
  kind: Kind,
  { id, name, written }: { id: string; name: string; written: string },
): [string, Name] {
  return [written, { kind, value: name, written, id }];
}

const exactly = (word: string) => word.toLowerCase();
const find = phraseFinder(names, exactly);
const byId = new Map(names.map(([, name]) => [name.id, name]));
const ID = /(?<![\p{L}\p{N}])[GS]\d{4}(?![\p{L}\p{N}])/gu;

const actorsByName = new Map(
  ACTORS.flatMap(({ name, aliases }) => [...aliases, name].map((one) => [exactly(one), name])),
);
const softwareByName = new Map(
  SOFTWARE.flatMap((one) => [...one.aliases, one.name].map((name) => [exactly(name), one])),
);

/** The canonical name of an actor by any of its names; as it was given where it is not known. */
export function actorNamed(name: string): string {
  return actorsByName.get(exactly(name.trim())) ?? name.trim();
}

/** The canonical name and kind of a piece of software by any of its names; malware where it is not known. */
export function softwareNamed(name: string): { kind: 'malware' | 'tool'; value: string } {
  const known = softwareByName.get(exactly(name.trim()));
  return { kind: known?.kind ?? 'malware', value: known?.name ?? name.trim() };
}

/** The actors, malware and tools that sentences name, by any of their names or ids. */
export function namesIn(text: string, sentences: readonly Sentence[]): Find[] {
  const found: Find[] = [];
  for (const { value, start, end } of find(text)) {
    const sentence = sentenceAt(sentences, start);
    if (!sentence || sentence.section === 'imprint' || !isMeant(value, text, start, end)) continue;
    found.push({ kind: value.kind, value: value.value, start, end, how: 'name' });
  }
  for (const match of text.matchAll(ID)) {
    const name = byId.get(match[0]);
    if (name && sentenceAt(sentences, match.index))
      found.push({ kind: name.kind, value: name.value, start: match.index, end: match.index + 5, how: 'id' });
  }
  return found;
}

/** True before a name that only serves for comparison: "unlike APT28". */
export const isCompared = (before: string) => COMPARED.test(before);

const NEAR = 60;

function isMeant({ kind, written }: Name, text: string, start: number, end: number): boolean {
  const words = text.slice(start, end);
  const before = text.slice(Math.max(0, start - NEAR), start);
  const behind = text.slice(end, end + NEAR);
  if (/[\p{L}\p{N}_]$/u.test(before) || /^[\p{L}\p{N}_]/u.test(behind) || isCompared(before)) return false;
  // Part of an address or a file.
  if (/[/\\@]$|\w\.$/.test(before) || /^(?:\.\w|[@\\])/.test(behind)) return false;
  if (kind === 'actor' && ONLY_MALWARE.test(behind)) return false;
  if (kind !== 'actor' && ONLY_ACTOR.test(behind) && actorsByName.has(exactly(written))) return false;
  if (isDistinct(written)) return true;
  const spelled = words === written || (words === words.toUpperCase() && words.length > 4);
  if (!spelled) return false;
  return !ORDINARY_NAMES.has(written.toLowerCase()) && written.length > 3
    ? true
    : BEHIND.test(behind) || BEFORE.test(before);
}

/** A name that nothing else is called: with a digit or two words, or capitals inside. */
const isDistinct = (written: string) =>
  (/\d/.test(written) && written.length > 3) ||
  (/\p{L} \p{L}/u.test(written) && written.length > 8) ||
  /\p{Ll}\p{Lu}/u.test(written.slice(1));
