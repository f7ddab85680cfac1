import { reapNow } from '../processes/reaper.ts';

const SAME_KEYPRESS_MS = 1_000;

/**
 * Waits for a reason to end: Ctrl-C, a signal, or the end of the process that started this one.
 * @returns a promise that resolves at the first reason; a second one ends everything at once
 */
export function ending(): Promise<void> {
  // A terminal that is gone must not turn the orderly stop into a crash.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return new Promise((resolve) => {
    let first = 0;
    const end = () => {
      if (first === 0) first = Date.now();
      // One Ctrl-C arrives twice: from the terminal and from bootstrap.mjs.
      else if (Date.now() - first > SAME_KEYPRESS_MS) void endNow();
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
    if (process.connected) process.once('disconnect', end);
    process.channel?.unref();
  });
}

/** Ends everything this process started, without order, and then itself. */
export async function endNow(): Promise<never> {
  await reapNow();
  process.exit(130);
}
