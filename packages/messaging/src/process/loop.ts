import type { Logger } from 'pino';

/** A task that runs again and again until stopped: every `everyMs`, and at once when nudged. */
export interface Loop {
  start(): void;
  nudge(): void;
  /** Lets the pass under way finish. */
  stop(): Promise<void>;
}

/**
 * @param everyMs wait between two passes; a fifth of it is jitter
 * @param pass does one round; what it raises is logged, and the next round comes as ever
 */
export function createLoop(parts: {
  name: string;
  everyMs: number;
  log: Logger;
  pass(stopping: AbortSignal): Promise<void>;
}): Loop {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let nudged = false;
  let wake = () => {};

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      nudged = false;
      await parts.pass(stopping.signal).catch((err: unknown) => {
        parts.log.warn({ err }, `${parts.name}: a round failed, the next one follows`);
      });
      if (!nudged && !stopping.signal.aborted) await idle();
    }
  }

  function idle(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, parts.everyMs * (0.9 + Math.random() * 0.2));
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  return {
    start() {
      running ??= run();
    },
    nudge() {
      nudged = true;
      wake();
    },
    async stop() {
      stopping.abort();
      wake();
      await running;
    },
  };
}
