import { createHash } from 'node:crypto';
import {
  type Inject,
  type ProblemDetail,
  type ScenarioContent,
  type ScenarioSummary,
  scenarioContent,
} from '@muster/contracts';

/**
 * The numbers seen in ATT&CK (https://attack.mitre.org/techniques/): ICS from T0800, enterprise and mobile from
 * T1001, sub-techniques from .001. The upper ends leave room for the techniques of coming versions.
 */
const TECHNIQUE_RANGES = [
  { from: 800, to: 999 },
  { from: 1001, to: 1999 },
] as const;
const SUB_TECHNIQUES = { from: 1, to: 99 } as const;

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
 * Everything in a scenario that points to nothing, to itself or to a thing that is there twice.
 * @returns one entry per broken place, `path` being its JSON pointer; empty when the scenario holds together
 */
export function brokenReferences(content: ScenarioContent): ProblemDetail[] {
  return [
    ...duplicateIds('/roles', 'role', content.roles),
    ...duplicateIds('/objectives', 'objective', content.objectives),
    ...duplicateIds('/injects', 'inject', content.injects),
    ...techniqueProblems('/threat/techniques', content.threat.techniques),
    ...content.injects.flatMap((inject, index) => injectProblems(content, inject, `/injects/${index}`)),
  ];
}

/** Whether ATT&CK could have given out this (well-formed) id, in this version or a coming one. */
export function techniqueCanExist(technique: string): boolean {
  const [number, sub] = technique.slice(1).split('.').map(Number);
  const within = (value: number, range: { from: number; to: number }) =>
    value >= range.from && value <= range.to;
  return (
    number !== undefined &&
    TECHNIQUE_RANGES.some((range) => within(number, range)) &&
    (sub === undefined || within(sub, SUB_TECHNIQUES))
  );
}

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
export function contentHash(content: ScenarioContent): string {
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

function injectProblems(content: ScenarioContent, inject: Inject, at: string): ProblemDetail[] {
  const problems = [
    ...duplicateIds(`${at}/expected_actions`, 'action', inject.expected_actions),
    ...referenceProblems(`${at}/to`, 'role', inject.to, content.roles),
    ...referenceProblems(`${at}/objective_ids`, 'objective', inject.objective_ids, content.objectives),
    ...techniqueProblems(`${at}/techniques`, inject.techniques),
    ...conditionProblems(`${at}/only_if`, content.injects, inject),
  ];
  if (inject.offset_minutes > content.duration_minutes) {
    const message = `comes at minute ${inject.offset_minutes}, but the scenario ends at minute ${content.duration_minutes}`;
    problems.push({ path: `${at}/offset_minutes`, code: 'beyond_duration', message });
  }
  return problems;
}

function conditionProblems(at: string, injects: Inject[], inject: Inject): ProblemDetail[] {
  if (!inject.only_if) return [];
  const { inject_id, action_id } = inject.only_if;
  const path = `${at}/inject_id`;
  const target = injects.find((candidate) => candidate.id === inject_id);
  if (!target) return [{ path, code: 'unknown_reference', message: `there is no inject "${inject_id}"` }];
  const problems: ProblemDetail[] = [];
  if (target.id === inject.id)
    problems.push({ path, code: 'self_reference', message: 'an inject cannot depend on itself' });
  else if (inCycle(injects, inject))
    problems.push({ path, code: 'cycle', message: `"${inject.id}" and "${inject_id}" wait for each other` });
  else if (playsAfter(injects, target, inject))
    problems.push({ path, code: 'later_inject', message: `"${inject_id}" comes later than "${inject.id}"` });
  if (!target.expected_actions.some((action) => action.id === action_id))
    problems.push({
      path: `${at}/action_id`,
      code: 'unknown_reference',
      message: `inject "${inject_id}" has no action "${action_id}"`,
    });
  return problems;
}

/** The order of play is that of the offsets; injects of the same minute come as they are listed. */
function playsAfter(injects: Inject[], one: Inject, other: Inject): boolean {
  const later = one.offset_minutes - other.offset_minutes || injects.indexOf(one) - injects.indexOf(other);
  return later > 0;
}

function inCycle(injects: Inject[], start: Inject): boolean {
  const byId = new Map(injects.toReversed().map((inject) => [inject.id, inject]));
  let next: Inject | undefined = start;
  for (let steps = 0; next && steps < injects.length; steps += 1) {
    next = byId.get(next.only_if?.inject_id ?? '');
    if (next?.id === start.id) return true;
  }
  return false;
}

function referenceProblems(
  at: string,
  noun: string,
  ids: string[],
  known: { id: string }[],
): ProblemDetail[] {
  const unknown = ids.flatMap((id, index) =>
    known.some((one) => one.id === id)
      ? []
      : [{ path: `${at}/${index}`, code: 'unknown_reference', message: `there is no ${noun} "${id}"` }],
  );
  return [...unknown, ...duplicates(at, noun, ids)];
}

function techniqueProblems(at: string, ids: string[]): ProblemDetail[] {
  const impossible = ids.flatMap((id, index) =>
    techniqueCanExist(id)
      ? []
      : [{ path: `${at}/${index}`, code: 'impossible_technique', message: `ATT&CK has no number "${id}"` }],
  );
  return [...impossible, ...duplicates(at, 'technique', ids)];
}

function duplicateIds(at: string, noun: string, items: { id: string }[]): ProblemDetail[] {
  const ids = items.map((item) => item.id);
  return duplicates(at, noun, ids).map((problem) => ({ ...problem, path: `${problem.path}/id` }));
}

function duplicates(at: string, noun: string, ids: string[]): ProblemDetail[] {
  return ids.flatMap((id, index) =>
    ids.indexOf(id) < index
      ? [{ path: `${at}/${index}`, code: 'duplicate', message: `${noun} "${id}" is there twice` }]
      : [],
  );
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
