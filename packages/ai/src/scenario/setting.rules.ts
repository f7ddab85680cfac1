import { REGULATIONS, type ScenarioContent, techniqueCanExist } from '@muster/contracts';
import { bare, clipped, listed } from '../prose/prose.ts';
import type { Stage } from '../techniques/technique.ts';
import { byStage, stageOf, techniqueOf } from '../techniques/techniques.rules.ts';
import { castOf } from './cast.rules.ts';
import type { Industry } from './industries.data.ts';
import { industryOf } from './industry.rules.ts';
import type { IntelSource, ScenarioInput } from './intel.ts';
import { CATEGORIES, type Category, PLACES } from './setting.data.ts';

/** Everything that the injects are told with. */
export interface Setting {
  item: IntelSource;
  category: ScenarioContent['category'];
  /** The actor or malware that people would name; null where the item names none. */
  threat: string | null;
  industry: Industry;
  roles: ScenarioContent['roles'];
  /** The system in play where people are let in, work, are managed, and where it hurts. */
  systems: { entry: string; inside: string; core: string; jewel: string };
  laws: (typeof REGULATIONS)[number][];
  advanced: boolean;
  /** The item's techniques of these stages, for one inject. */
  techniques(...stages: Stage[]): string[];
}

const ID = /^T\d{4}(?:\.\d{3})?$/;
const MOST_TECHNIQUES = 60;
const LONGEST_NAME = 80;

/** Reads an item and a profile into the setting of a scenario; every name in it comes from one of them. */
export function settingOf({ item, profile = null, wish }: ScenarioInput): Setting {
  const ids = techniquesOf(item);
  const industry = industryOf(profile?.industry);
  return {
    item,
    category: categoryOf(item, ids),
    threat: namesIn([...item.actors, ...item.malware])[0] ?? null,
    industry,
    roles: castOf(profile),
    systems: systemsOf(profile, industry),
    laws: REGULATIONS.filter((law) => profile?.regulations?.some((name) => name.toLowerCase().includes(law))),
    advanced: wish?.difficulty === 'advanced',
    techniques: (...stages) => ids.filter((id) => stages.includes(stageOf(id))).slice(0, 30),
  };
}

/** The ids of the item that ATT&CK could have given out, the earliest stage first. */
export function techniquesOf({ techniques }: Pick<IntelSource, 'techniques'>): string[] {
  const ids = techniques.map(({ id }) => id.trim().toUpperCase());
  return byStage(ids.filter((id) => ID.test(id) && techniqueCanExist(id))).slice(0, MOST_TECHNIQUES);
}

/** Names as they can stand in a text: in one line, short, each once. */
export function namesIn(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => clipped(bare(name), LONGEST_NAME)).filter((name) => name !== ''))];
}

/** What a table hears first of these techniques: the scene of the one that is furthest along and known. */
export function sceneOf(ids: readonly string[], system: string): string | null {
  const known = ids.findLast((id) => techniqueOf(id));
  const scene = known ? techniqueOf(known)?.scene.replaceAll('{system}', system) : undefined;
  return scene ? scene.charAt(0).toUpperCase() + scene.slice(1) : null;
}

/** What the item says of these techniques, for the facilitator. */
export function evidenceOf({ item }: Setting, ids: readonly string[]): string {
  const lines = item.techniques
    .filter(({ id }) => ids.includes(id.trim().toUpperCase()))
    .slice(0, 4)
    .map(({ id, evidence }) => {
      const words = bare((typeof evidence === 'string' ? evidence : evidence?.[0]?.quote) ?? '');
      return words ? `${id} (“${clipped(words, 200)}”)` : `${id} ${techniqueOf(id)?.name ?? ''}`.trim();
    });
  return lines.length > 0 ? `From the report: ${listed(lines)}. ` : '';
}

function categoryOf(item: IntelSource, ids: readonly string[]): Category {
  const text = [item.title, item.summary, ...item.malware, ...(item.tags ?? [])].join(' ');
  const fits = CATEGORIES.find(
    ({ techniques, words }) => ids.some((id) => techniques.test(id)) || words.test(text),
  );
  return fits?.category ?? 'other';
}

function systemsOf(profile: ScenarioInput['profile'], industry: Industry): Setting['systems'] {
  const stack = profile?.tech_stack ?? [];
  const place = ({ wanted, neutral }: (typeof PLACES)[keyof typeof PLACES]) => {
    const own = stack.find(({ category, name }) => wanted.test(`${category ?? ''} ${name}`));
    return namesIn(own ? [own.name] : [])[0] ?? neutral;
  };
  const jewels = (profile?.crown_jewels ?? []).toSorted(
    (one, other) => (other.criticality ?? 0) - (one.criticality ?? 0),
  );
  return {
    entry: place(PLACES.entry),
    inside: place(PLACES.inside),
    core: place(PLACES.core),
    jewel: namesIn(jewels.map(({ name }) => name))[0] ?? industry.system,
  };
}
