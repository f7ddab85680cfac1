const LONGER = 4;
const RUNS = 3;
/** Less says nothing of growth. */
const FLOOR_MS = 12;

/** More is looked at again on longer input: linear work only seems to grow where it costs little. */
const SUSPICIOUS = 6;

/**
 * How many times as much a piece of work costs on input that is four times as long: about four where it is linear,
 * sixteen where it is squared, one where it costs next to nothing. Counts the time of this thread alone, however busy
 * the machine is.
 */
export function growthOf(work: (length: number) => void, length: number): number {
  if (costOf(work, length) < FLOOR_MS) return 1;
  const growth = growthAt(work, length);
  return growth < SUSPICIOUS ? growth : Math.min(growth, growthAt(work, length * LONGER));
}

const growthAt = (work: (length: number) => void, length: number) =>
  least(work, length) / Math.max(1, least(work, length / LONGER));

const least = (work: (length: number) => void, length: number) =>
  Math.min(...Array.from({ length: RUNS }, () => costOf(work, length)));

/** In milliseconds. */
function costOf(work: (length: number) => void, length: number): number {
  const from = process.threadCpuUsage();
  work(length);
  const { user, system } = process.threadCpuUsage(from);
  return (user + system) / 1000;
}
