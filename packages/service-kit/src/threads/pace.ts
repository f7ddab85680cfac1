import { setImmediate as turn } from 'node:timers/promises';

const HOLD_MS = 20;

/** For long work on the event loop: awaited between its steps, it lets others have their turn from time to time. */
export function pace(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < HOLD_MS) return;
    await turn();
    since = performance.now();
  };
}
