/**
 * The longest that one turn of the event loop took while some work was under way, in milliseconds of this thread's own
 * time: how long everybody else had to wait, however busy the machine is.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = ownTime();
  let over = false;
  const turn = () => {
    const now = ownTime();
    longest = Math.max(longest, now - last);
    last = now;
    if (!over) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    await work();
  } finally {
    over = true;
  }
  return longest;
}

function ownTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
