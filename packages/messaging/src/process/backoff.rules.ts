/** Shape of a growing wait: first wait, longest wait, in milliseconds. */
export interface Backoff {
  baseMs: number;
  maxMs: number;
}

/**
 * The wait before try `attempt` + 1: doubles each time up to `maxMs`, then takes a random part of its upper half
 * ("equal jitter"), so that many who failed together do not return together.
 * @param attempt how many tries have failed, from 1
 * @param random a number in [0, 1)
 */
export function backoffMs({ baseMs, maxMs }: Backoff, attempt: number, random = Math.random()): number {
  const full = Math.min(maxMs, baseMs * 2 ** Math.min(attempt - 1, 30));
  return Math.round(full / 2 + (full / 2) * random);
}
