import type { Engine } from '@muster/contracts';

/** Who wrote something, in words. */
export function authorInWords({ kind, model, degraded }: Engine): string {
  if (kind === 'llm') return `Language model ${model ?? ''}`.trim();
  if (kind === 'external') return model ? `External evaluation (${model})` : 'External evaluation';
  return degraded ? 'Rules engine, in place of the language model' : 'Rules engine';
}
