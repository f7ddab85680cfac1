const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** Having run this long, a child counts as healthy again and its next failure as its first. */
export const HEALTHY_AFTER_MS = 60_000;

/**
 * How long to wait before a child is started again: 0.5 s, doubled with each failure, 30 s at most.
 * @param failures failures in a row, 1 for the first
 * @returns milliseconds
 */
export function backoffMs(failures: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(Math.max(failures, 1) - 1, 10));
}
