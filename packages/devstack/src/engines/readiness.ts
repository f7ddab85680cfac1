import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from '../processes/child.ts';

/**
 * Waits until a started child answers.
 * @param answers resolves when it does, rejects while it does not
 * @param limitMs after that it is stopped and given up
 * @returns the child
 * @throws Error naming the log file when it ended or did not answer in time
 */
export async function whenReady(
  child: Child,
  answers: () => Promise<unknown>,
  limitMs: number,
  logFile: string,
): Promise<Child> {
  const deadline = Date.now() + limitMs;
  let ended: string | undefined;
  child.exited.then((how) => {
    ended = how;
  });
  for (;;) {
    const last = await answers().then(
      () => undefined,
      (error: Error) => error,
    );
    if (ended !== undefined) throw new Error(`${child.name} ended (${ended}); see ${logFile}`);
    if (last === undefined) return child;
    if (Date.now() > deadline) {
      await child.stop(2_000);
      throw new Error(
        `${child.name} did not answer in ${limitMs / 1000} s (${last.message}); see ${logFile}`,
      );
    }
    await sleep(100);
  }
}
