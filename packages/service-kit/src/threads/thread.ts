import { Piscina } from 'piscina';
import { AppError } from '../errors.ts';

/** Two, so that one hostile document leaves room for others. */
const THREADS = 2;
/** Past so many that wait it is kinder to say so. */
const MOST_WAITING = 100;
const IDLE_MS = 5 * 60_000;
const MEMORY_MB = 512;

/** Raised where a thread did not come to an end in the time or the memory that it may take; it was ended. */
export class Overdue extends Error {}

let pool: Piscina | undefined;
const waiting: (() => void)[] = [];
let running = 0;

/**
 * Runs what a module exports by default in a thread of its own, for work whose time outside text decides: it never
 * holds the event loop. Input and output are copied. The deadline begins when a thread is free.
 * @throws Overdue; AppError `unavailable` where too much waits already; what the work throws, as a plain Error
 */
export function inThread<Work extends (input: never) => unknown>(module: URL, deadlineMs: number) {
  return (input: Parameters<Work>[0], signal?: AbortSignal): Promise<Awaited<ReturnType<Work>>> =>
    inTurn(async () => {
      signal?.throwIfAborted();
      const deadline = AbortSignal.timeout(deadlineMs);
      pool ??= new Piscina({
        minThreads: 0,
        maxThreads: THREADS,
        idleTimeout: IDLE_MS,
        resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
      });
      try {
        return await pool.run(input, {
          filename: module.href,
          signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
        });
      } catch (error) {
        signal?.throwIfAborted();
        if (deadline.aborted || isOutOfMemory(error))
          throw new Overdue('It was not done in time', { cause: error });
        throw error;
      }
    });
}

const isOutOfMemory = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= MOST_WAITING)
    throw new AppError('unavailable', 'There is too much to read right now: try again in a moment.', {
      headers: { 'retry-after': '5' },
    });
  if (running < THREADS) running += 1;
  else await new Promise<void>((begin) => waiting.push(begin));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
