import { isEngineDown } from '../process/engine.ts';
import type { Gate } from '../process/gate.ts';

/** The message's connection is gone, or the process stops: the broker will deliver it again. */
export class Abandoned extends Error {}

/**
 * Repeats work that needs MongoDB for as long as it is away. That burns no try.
 * @param gone aborts when the message's connection is gone
 * @throws Abandoned, or what the work raises for a reason of its own
 */
export async function holding<T>(gate: Gate, gone: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    if (gone.aborted) throw new Abandoned();
    try {
      return await work();
    } catch (error) {
      if (!isEngineDown(error)) throw error;
      gate.close();
      if (!(await gate.opened())) throw new Abandoned();
    }
  }
}
