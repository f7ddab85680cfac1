const LONGER = 4;
/** Less says nothing of growth. */
const FLOOR_MS = 12;
/** The clock of a thread is coarse: what is compared has run for about so long. */
const ENOUGH_MS = 40;
/** More is looked at again on longer input, since linear work only seems to grow where it costs little. */
const SUSPICIOUS = 1.8;

type Work = (length: number) => void;

/**
 * How much more each character costs in an input that is four times as long: about one where work is linear, four
 * where it is squared. Counts the time of this thread alone, however busy the machine is.
 */
export function growthOf(work: Work, length: number): number {
  if (costOf(work, length) < FLOOR_MS) return 1;
  const growth = growthAt(work, length);
  return growth < SUSPICIOUS ? growth : Math.min(growth, growthAt(work, length * LONGER));
}

function growthAt(work: Work, length: number): number {
  let [long, short] = [0, 0];
  while (long < ENOUGH_MS) {
    long += costOf(work, length);
    for (let run = 0; run < LONGER; run += 1) short += costOf(work, length / LONGER);
  }
  return long / Math.max(1, short);
}

/** In milliseconds. */
function costOf(work: Work, length: number): number {
  const from = process.threadCpuUsage();
  work(length);
  const { user, system } = process.threadCpuUsage(from);
  return (user + system) / 1000;
}
