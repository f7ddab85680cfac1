import type { ProblemDetail } from '../../core/problem.ts';
import type { Inject, ScenarioContent } from './scenario.schemas.ts';

/**
 * The numbers seen in ATT&CK (https://attack.mitre.org/techniques/): ICS from T0800, enterprise and mobile from
 * T1001, sub-techniques from .001. The upper ends leave room for the techniques of coming versions.
 */
const TECHNIQUE_RANGES = [
  { from: 800, to: 999 },
  { from: 1001, to: 1999 },
] as const;
const SUB_TECHNIQUES = { from: 1, to: 99 } as const;

/**
 * Everything in a scenario that points to nothing, to itself or to a thing that is there twice.
 * @returns one entry per broken place, `path` being its JSON pointer; empty when the scenario holds together
 */
export function scenarioProblems(content: ScenarioContent): ProblemDetail[] {
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

function injectProblems(content: ScenarioContent, inject: Inject, at: string): ProblemDetail[] {
  const problems = [
    ...duplicateIds(`${at}/expected_actions`, 'action', inject.expected_actions),
    ...referenceProblems(`${at}/to`, 'role', inject.to, content.roles),
    ...referenceProblems(`${at}/objective_ids`, 'objective', inject.objective_ids, content.objectives),
    ...techniqueProblems(`${at}/techniques`, inject.techniques),
    ...duplicates(`${at}/regulatory`, 'regulation', inject.regulatory ?? []),
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
