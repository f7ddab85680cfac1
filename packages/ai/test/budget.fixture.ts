import type { TokenBudget } from '../src/index.ts';

/** A budget that lives as long as the test. */
export function memoryBudget(tokens: number): TokenBudget & { left(): number } {
  let left = tokens;
  return {
    reserve(wanted) {
      if (wanted > left) return false;
      left -= wanted;
      return true;
    },
    spent(used, reserved) {
      left += reserved - used;
    },
    left: () => left,
  };
}
