import { url as inspectorUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';

const BEAT_MS = 500;
const SILENT_MS = 15_000;

/** What the loop and its watchdog share: how often the loop came round, and whether a debugger may hold it. */
export const BEATS = 0;
export const DEBUGGER = 1;
export interface Watch {
  service: string;
  state: Int32Array<SharedArrayBuffer>;
  silentMs: number;
}

/**
 * Ends this process by SIGKILL, and says so in its log, once its event loop has been silent for 15 s: a loop that is
 * blocked hears no signal. Whoever started the process starts it again. Time in which the machine sleeps, the process
 * is stopped or a debugger holds it does not count.
 */
export function watchLoop(service: string, silentMs = SILENT_MS): void {
  const state = new Int32Array(new SharedArrayBuffer(8));
  const beat = () => {
    Atomics.store(state, DEBUGGER, isDebugged() ? 1 : 0);
    Atomics.add(state, BEATS, 1);
  };
  beat();
  setInterval(beat, BEAT_MS).unref();
  const workerData: Watch = { service, state, silentMs };
  const program = new URL('./watchdog.worker.ts', import.meta.url);
  new Worker(program, { workerData, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref();
}

/** What `/live` answers: that the loop turns. Who probes it must not end a process that a debugger holds. */
export function liveness(): { status: 'ok'; debugger?: true } {
  return isDebugged() ? { status: 'ok', debugger: true } : { status: 'ok' };
}

function isDebugged(): boolean {
  return inspectorUrl() !== undefined;
}
