import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats an assertion until it holds, and raises its last failure after `patienceMs`. */
export async function eventually<T>(assertion: () => Promise<T> | T, patienceMs = 10_000): Promise<T> {
  for (const until = Date.now() + patienceMs; ; await sleep(25)) {
    try {
      return await assertion();
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}
