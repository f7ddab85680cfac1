import { techniqueOf } from '@muster/attack';
import {
  COVERAGE_STATES,
  type CoverageMark,
  type CoverageState,
  type LayerDomain,
  type LayerTechnique,
  type NavigatorLayer,
  TECHNIQUE_RESULTS,
  type TechniqueCoverage,
} from '@muster/contracts';
import type { CoverageDoc, Mention, StoredMark } from './coverage.model.ts';
import { domainOf, layerOf, metadataOf } from './navigator.rules.ts';

interface Appearance {
  label: string;
  color: string;
  score: number;
}

/** How each state is drawn: the score is how well the organization is prepared, 0..100. */
const STATES: Readonly<Record<CoverageState, Appearance>> = {
  missed: { label: 'Tested and missed', color: '#a50026', score: 0 },
  wanted: { label: 'Used by threats we watch, never exercised or tested', color: '#d73027', score: 0 },
  seen: { label: 'Seen in our events, never exercised or tested', color: '#f46d43', score: 10 },
  talked_through: { label: 'Talked through only', color: '#fdae61', score: 40 },
  logged: { label: 'Tested: logged, no alert', color: '#d9ef8b', score: 60 },
  proved: { label: 'Tested: detected or prevented', color: '#1a9850', score: 100 },
};

/** How much each reason to look at a technique weighs. */
const REASONS = { any: 20, wanted: 50, seen: 30 } as const;

/** Each technique once, under today's id, as its source spoke of it worst; what ATT&CK does not know is left out. */
export function currentOf(mentions: readonly Mention[]): Mention[] {
  const found = new Map<string, Mention>();
  for (const one of mentions) {
    const technique = techniqueOf(one.technique)?.id;
    if (!technique) continue;
    const known = found.get(technique);
    if (!known || badness(one) > badness(known)) found.set(technique, { ...one, technique });
  }
  return [...found.values()];
}

const badness = ({ result }: Mention) => (result ? TECHNIQUE_RESULTS.indexOf(result) : 0);

/** A row as it is shown; null for a technique of which nothing is known any more. */
export function coverageOf(row: CoverageDoc): TechniqueCoverage | null {
  const found = techniqueOf(row.technique);
  const marks = {
    exercised: markOf(row.exercised),
    proved: row.proved && row.proved.count > 0 ? { ...toMark(row.proved), result: row.proved.result } : null,
    seen: row.seen ? { count: row.seen.count, at: row.seen.at.toISOString() } : null,
    wanted: markOf(row.wanted),
  };
  const state = stateOf(marks);
  if (!found || !state) return null;
  return {
    technique: found.id,
    name: found.name,
    tactics: found.tactics,
    domain: domainOf(found),
    state,
    priority: priorityOf(state, marks),
    explanation: explain(marks),
    ...marks,
  };
}

const markOf = (mark: StoredMark | undefined) => (mark && mark.count > 0 ? toMark(mark) : null);
const toMark = ({ count, at, ref, title }: StoredMark): CoverageMark => ({
  count,
  ref,
  title,
  at: at.toISOString(),
});

type Marks = Pick<TechniqueCoverage, 'exercised' | 'proved' | 'seen' | 'wanted'>;

/** The strongest that an organization has on a technique; undefined where it has nothing. */
export function stateOf({ exercised, proved, seen, wanted }: Marks): CoverageState | undefined {
  if (proved?.result === 'prevented' || proved?.result === 'detected') return 'proved';
  if (proved?.result === 'logged' || proved?.result === 'missed') return proved.result;
  if (exercised) return 'talked_through';
  if (wanted) return 'wanted';
  return seen ? 'seen' : undefined;
}

/** How pressing a technique is, 0..100: the reasons to look at it, less what its state already covers of them. */
function priorityOf(state: CoverageState, { seen, wanted }: Marks): number {
  const reasons = REASONS.any + (wanted ? REASONS.wanted : 0) + (seen ? REASONS.seen : 0);
  return Math.round(reasons * (1 - STATES[state].score / 100));
}

/** The most pressing first; among equals in the order of their ids. */
export function inOrderOfPriority(items: readonly TechniqueCoverage[]): TechniqueCoverage[] {
  return items.toSorted((a, b) => b.priority - a.priority || (a.technique < b.technique ? -1 : 1));
}

/** How many techniques are in each state. */
export function byState(items: readonly TechniqueCoverage[]): Record<CoverageState, number> {
  const counts = COVERAGE_STATES.map((state) => [state, items.filter((one) => one.state === state).length]);
  return Object.fromEntries(counts) as Record<CoverageState, number>;
}

function explain({ exercised, proved, seen, wanted }: Marks): string {
  const on = ({ at }: { at: string }) => at.slice(0, 10);
  return [
    exercised
      ? `Talked through in ${several(exercised.count, 'exercise')}, last on ${on(exercised)} in “${exercised.title}”.`
      : 'Never talked through in an exercise.',
    proved
      ? `Tested in ${several(proved.count, 'operation')}, last on ${on(proved)} in “${proved.title}”: ${proved.result}.`
      : 'Never tested in an operation.',
    seen && `Seen in ${several(seen.count, 'event')}, last received on ${on(seen)}.`,
    wanted && `Used in ${several(wanted.count, 'threat report')}, last in “${wanted.title}” (${on(wanted)}).`,
  ]
    .filter(Boolean)
    .join(' ');
}

const several = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The techniques of one domain as a layer, coloured by their state. */
export function coverageLayer(items: readonly TechniqueCoverage[], domain: LayerDomain): NavigatorLayer {
  return layerOf(domain, {
    name: 'Talked through, proved, seen, wanted',
    description:
      'What exercises talked through and operations proved, against what was seen in our events and what intelligence tells of.',
    techniques: items.map(layerTechnique),
    legendItems: COVERAGE_STATES.map((state) => ({ label: STATES[state].label, color: STATES[state].color })),
  });
}

function layerTechnique(item: TechniqueCoverage): LayerTechnique {
  const { score, color, label } = STATES[item.state];
  const { exercised, proved, seen, wanted } = item;
  return {
    techniqueID: item.technique,
    score,
    color,
    comment: item.explanation,
    enabled: true,
    metadata: metadataOf({
      State: label,
      Priority: String(item.priority),
      'Last exercised': exercised?.at ?? null,
      'Last tested': proved?.at ?? null,
      Result: proved?.result ?? null,
      'Events seen': seen && String(seen.count),
      'Threat reports': wanted && String(wanted.count),
    }),
  };
}
