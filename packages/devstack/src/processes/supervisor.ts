import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, HEALTHY_AFTER_MS } from './backoff.rules.ts';
import type { Child } from './child.ts';
import { type Pulse, patience, silence } from './pulse.ts';
import { isReaping } from './reaper.ts';

export interface Supervised {
  readonly name: string;
  /** Whether it is up and answering. */
  readonly running: boolean;
  /** Starts it and waits until it is ready; nothing when it runs already. */
  start(): Promise<void>;
  /** Stops it in an orderly way, forcing it after `graceMs`; it stays down until `start`. */
  stop(graceMs?: number): Promise<void>;
  /** Ends it at once, as a crash would: the supervisor brings it back. */
  kill(): void;
}

export interface SupervisionOptions {
  name: string;
  /** Starts the program and resolves when it is ready; rejects, with nothing left running, when it is not. */
  launch: () => Promise<Child>;
  /** Receives one line whenever the child ended by itself and whenever it is back. */
  report: (line: string) => void;
  /** How one that runs is known to be alive: a silent one is killed, and so started again. */
  pulse?: Pulse;
  /** Milliseconds to wait after so many failures in a row. */
  backoff?: (failures: number) => number;
}

/**
 * Keeps a child running: one that ends without being asked is started again after a growing pause.
 * @throws from `start` what `launch` threw: only a child that was ready once is started again
 */
export function supervise(options: SupervisionOptions): Supervised {
  const { name, launch, report, pulse, backoff = backoffMs } = options;
  let child: Child | undefined;
  let pause = new AbortController();
  let watching: Promise<void> | undefined;

  async function watch(first: Child): Promise<void> {
    let failures = 0;
    let running: Child | undefined = first;
    let since = Date.now();
    while (!pause.signal.aborted) {
      if (running) {
        const how = await end(running, pulse, pause.signal);
        child = undefined;
        if (pause.signal.aborted || isReaping()) return;
        failures = Date.now() - since > HEALTHY_AFTER_MS ? 1 : failures + 1;
        report(`${name} ended (${how}); starting it again in ${seconds(backoff(failures))}`);
      }
      await sleep(backoff(failures), undefined, { signal: pause.signal }).catch(() => {});
      if (pause.signal.aborted) return;
      since = Date.now();
      running = await launch().catch((error: Error) => {
        failures += 1;
        report(`${name} did not start: ${error.message}; trying again in ${seconds(backoff(failures))}`);
        return undefined;
      });
      if (running && !pause.signal.aborted) report(`${name} is back after ${seconds(Date.now() - since)}`);
      child = running;
    }
    await child?.stop();
    child = undefined;
  }

  return {
    name,
    get running() {
      return child !== undefined;
    },
    async start() {
      if (watching) return;
      pause = new AbortController();
      const first = await launch();
      child = first;
      watching = watch(first);
    },
    async stop(graceMs) {
      pause.abort();
      await child?.stop(graceMs);
      await watching;
      watching = undefined;
    },
    kill: () => child?.kill(),
  };
}

/** Waits for a child's end, and brings it about when the child falls silent before it is to stop. */
async function end(child: Child, pulse: Pulse | undefined, stopping: AbortSignal): Promise<string> {
  if (pulse === undefined) return child.exited;
  const over = new AbortController();
  let silent = false;
  void silence(pulse, AbortSignal.any([over.signal, stopping])).then(() => {
    silent = true;
    // A loop that is blocked would not hear a request to stop.
    child.kill();
  });
  const how = await child.exited;
  over.abort();
  return silent ? `silent for ${patience(pulse)}` : how;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
