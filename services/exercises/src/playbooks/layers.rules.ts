import type { PlaybookContent, PlaybookStep } from '@muster/contracts';

/** All steps of a playbook in their order. */
export function stepsOf({ phases }: Pick<PlaybookContent, 'phases'>): PlaybookStep[] {
  return phases.flatMap(({ steps }) => steps);
}

/**
 * The steps of one phase in layers: those of a layer wait for nothing but steps of the layers before it, or of earlier
 * phases, so they can be done side by side. Steps that wait for each other, which no playbook should have, come last,
 * one by one.
 */
export function layersOf(steps: readonly PlaybookStep[]): PlaybookStep[][] {
  const waiting = new Map(steps.map((step) => [step.id, step]));
  const layers: PlaybookStep[][] = [];
  while (waiting.size > 0) {
    const free = [...waiting.values()].filter((step) => !step.depends_on.some((id) => waiting.has(id)));
    if (free.length === 0) return [...layers, ...[...waiting.values()].map((step) => [step])];
    layers.push(free);
    for (const { id } of free) waiting.delete(id);
  }
  return layers;
}
