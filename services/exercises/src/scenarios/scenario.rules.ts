import { createHash } from 'node:crypto';
import { type ScenarioContent, type ScenarioSummary, scenarioContent } from '@muster/contracts';

/** Letters that Unicode does not decompose into a base letter and an accent. */
const TRANSLITERATIONS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
};
const SLUG_LENGTH = 80;

/**
 * The filename of a scenario that has none: the title in plain letters, at most 80 characters, and `.json`.
 * A title without a Latin letter or digit gets a name made from its hash, so that two of them do not collide.
 */
export function slugOf(title: string): string {
  const slug = fold(title)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, SLUG_LENGTH)
    .replace(/-$/, '');
  return `${slug || `scenario-${sha256(title).slice(0, 12)}`}.json`;
}

/**
 * `sha256:…` over the canonical JSON (keys sorted, as in RFC 8785) of what the author wrote.
 * The same content has the same hash, whatever its key order and whatever the server has added to it.
 */
export function contentHash(content: object): string {
  const authored = Object.entries(content).filter(([key]) => Object.hasOwn(scenarioContent.shape, key));
  return `sha256:${sha256(canonicalJson(Object.fromEntries(authored)))}`;
}

/** What a list shows of a scenario that its own fields do not say: the counts, and the techniques. */
export function summaryOf(
  content: Pick<ScenarioContent, 'injects' | 'objectives' | 'threat'>,
): Pick<ScenarioSummary, 'injects' | 'objectives' | 'techniques'> {
  return {
    injects: content.injects.length,
    objectives: content.objectives.length,
    techniques: techniquesOf(content),
  };
}

/** The text that the `q` filter looks through, folded: look in it for `fold(q)`. */
export function searchText(content: ScenarioContent): string {
  return fold(
    [
      content.title,
      content.summary,
      content.category.replaceAll('_', ' '),
      ...content.industries,
      ...content.tags,
      content.threat.actor,
      ...content.objectives.map((objective) => objective.title),
      ...content.injects.map((inject) => inject.title),
      ...techniquesOf(content),
    ].join('\n'),
  );
}

/** Lower case without accents, for comparing what people typed. */
export function fold(value: string): string {
  return value
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{ASCII}]/gu, (letter) => TRANSLITERATIONS[letter] ?? letter);
}

/** Every technique of the threat and of the injects once, sorted. */
function techniquesOf(content: Pick<ScenarioContent, 'injects' | 'threat'>): string[] {
  const used = content.injects.flatMap((inject) => inject.techniques);
  return [...new Set([...content.threat.techniques, ...used])].sort();
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
