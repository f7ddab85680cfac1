/** The middle of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * Times calls in turn, A B A B …, so that a machine that slows down slows all of them.
 * @returns the milliseconds of every round, per call; a tenth more rounds before them warm up
 */
export async function timed(rounds: number, calls: readonly (() => Promise<unknown>)[]): Promise<number[][]> {
  const times: number[][] = calls.map(() => []);
  for (let round = -Math.ceil(rounds / 10); round < rounds; round += 1) {
    for (const [index, call] of calls.entries()) {
      const started = performance.now();
      await call();
      if (round >= 0) times[index]?.push(performance.now() - started);
    }
  }
  return times;
}
