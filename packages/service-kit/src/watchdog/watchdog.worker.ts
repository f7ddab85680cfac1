import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { BEATS, DEBUGGER, type Watch } from './watchdog.ts';

const TICK_MS = 500;
const { service, state, silentMs } = workerData as Watch;

let heard = 0;
let silentForMs = 0;

// Counted in ticks of this thread, which stands still whenever the whole process does.
setInterval(() => {
  const beats = Atomics.load(state, BEATS);
  const alive = beats !== heard || Atomics.load(state, DEBUGGER) === 1;
  heard = beats;
  silentForMs = alive ? 0 : silentForMs + TICK_MS;
  if (silentForMs >= silentMs) end();
}, TICK_MS);

function end(): void {
  const msg = `the event loop was silent for ${silentMs / 1000} s: this process ends`;
  const line = { level: 60, time: new Date().toISOString(), service, msg };
  try {
    // The ordinary log would have to pass through the loop that does not turn.
    writeSync(2, `${JSON.stringify(line)}\n`);
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}
