import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Waits; returns early, without raising, when the signal aborts. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: true }).catch(() => undefined);
}

/**
 * Settles as the work does, or rejects after `ms`.
 * @throws Error with the given message when the time is up; the work itself is not stopped
 */
export async function within<T>(ms: number, message: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(message)), ms);
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** A task that runs again and again until stopped: every `everyMs`, and at once when nudged. */
export interface Loop {
  start(): void;
  nudge(): void;
  /** Lets the pass under way finish. */
  stop(): Promise<void>;
}

/**
 * @param everyMs wait between two passes; a fifth of it is jitter
 * @param restMs least time from one pass to the next, so that many nudges at once cost one
 * @param pass does one round; what it raises is logged, and the next round comes as ever
 */
export function createLoop(parts: {
  name: string;
  everyMs: number;
  restMs?: number;
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
      const rest = pause(parts.restMs ?? 0, stopping.signal);
      await parts.pass(stopping.signal).catch((err: unknown) => {
        parts.log.warn({ err }, `${parts.name}: a round failed, the next one follows`);
      });
      if (parts.restMs) await rest;
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
