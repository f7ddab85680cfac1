import type {
  LayerDomain,
  LayerTechnique,
  NavigatorLayer,
  OperationMetrics,
  TechniqueResult,
  TestedTechnique,
} from '@muster/contracts';
import { minutesToDetect } from './metrics.rules.ts';
import { isIn, layerOf, metadataOf } from './navigator.rules.ts';

interface Appearance {
  label: string;
  color: string;
  score?: number;
}

/** How each result is drawn. What was not run says nothing of the defence: it has no score. */
const RESULTS: Readonly<Record<TechniqueResult, Appearance>> = {
  missed: { label: 'Missed', color: '#d73027', score: 0 },
  logged: { label: 'Logged, no alert', color: '#fee08b', score: 50 },
  detected: { label: 'Detected', color: '#a6d96a', score: 75 },
  prevented: { label: 'Prevented', color: '#1a9850', score: 100 },
  not_run: { label: 'Not run', color: '#d9d9d9' },
};
const WORST_FIRST = Object.keys(RESULTS) as TechniqueResult[];

/** An operation as a layer. A technique that was tried several times is drawn by its worst result. */
export function operationLayer(
  operation: { name: string; techniques: readonly TestedTechnique[]; metrics: OperationMetrics },
  domain: LayerDomain,
): NavigatorLayer {
  const inside = operation.techniques.filter(({ technique }) => isIn(domain, technique));
  const byTechnique = Map.groupBy(inside, ({ technique }) => technique);
  return layerOf(domain, {
    name: operation.name,
    description: describe(operation.metrics),
    techniques: [...byTechnique].map(([id, tries]) => layerTechnique(id, tries)),
    legendItems: WORST_FIRST.map((result) => ({
      label: RESULTS[result].label,
      color: RESULTS[result].color,
    })),
  });
}

function layerTechnique(techniqueID: string, tries: readonly TestedTechnique[]): LayerTechnique {
  const worst = worstOf(tries.map(({ result }) => result));
  const { color, score } = RESULTS[worst];
  return {
    techniqueID,
    ...(score !== undefined && { score }),
    color,
    comment: tries.map(comment).join('\n'),
    enabled: true,
    metadata: tries.flatMap((one, at) => [...(at > 0 ? [{ divider: true as const }] : []), ...facts(one)]),
  };
}

/** The result that says most about a weakness. What was run counts before what was not. */
export function worstOf(results: readonly TechniqueResult[]): TechniqueResult {
  return WORST_FIRST.find((result) => results.includes(result)) ?? 'not_run';
}

function facts(one: TestedTechnique): LayerTechnique['metadata'] {
  const minutes = minutesToDetect(one);
  return metadataOf({
    Result: RESULTS[one.result].label,
    Executed: one.red.executed_at,
    Outcome: one.red.outcome,
    Detected: one.blue.detected_at,
    'Minutes to detect': minutes === null ? null : String(minutes),
    'Seen by': one.blue.source,
  });
}

function comment(one: TestedTechnique): string {
  const minutes = minutesToDetect(one);
  const after = minutes === null ? '' : ` after ${minutes} min`;
  const by = one.blue.source === null ? '' : ` by ${one.blue.source}`;
  const said = [one.red.notes, one.blue.notes].filter(Boolean).join(' ');
  return `${RESULTS[one.result].label}${after}${by}.${said && ` ${said}`}`;
}

function describe({ executed, prevented, detected, mean_minutes_to_detect: mean }: OperationMetrics): string {
  const speed = mean === null ? '' : ` ${mean} minutes to detect on average.`;
  return `${executed} executed, ${prevented} prevented, ${detected} detected.${speed}`;
}
