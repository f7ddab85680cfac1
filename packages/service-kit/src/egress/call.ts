import { setMaxListeners } from 'node:events';
import { Agent, fetch, type Response } from 'undici';
import { AppError } from '../errors.ts';
import { isTimeout, tooSlow, unusable } from './failure.ts';
import type { Ask } from './redirect.ts';
import { type Resolve, vettedAddresses } from './resolver.ts';

/** One call with all its redirects: its deadline, its connections, and the addresses it may connect to. */
export interface Call {
  /** Asks one address, after a look at what its name stands for; follows nothing. */
  ask(ask: Ask, named: boolean): Promise<Response>;
  /** What to raise for what went wrong; the connections are closed. */
  failure(host: string, error: unknown): Promise<unknown>;
  end(): Promise<void>;
}

/** Begins a call, which ends by itself after `timeoutMs`. */
export function beginCall(limits: { timeoutMs: number; signal?: AbortSignal; resolve: Resolve }): Call {
  const { timeoutMs, signal, resolve } = limits;
  const deadline = AbortSignal.timeout(timeoutMs);
  const ended = signal ? AbortSignal.any([signal, deadline]) : deadline;
  // One for each redirect, and our own.
  setMaxListeners(0, ended);
  const addresses = vettedAddresses(resolve);
  const agent = new Agent({
    connect: { lookup: addresses.lookup, timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    allowH2: false,
  });
  const end = () => agent.destroy().catch(() => undefined);
  // Also for a body that nobody reads.
  ended.addEventListener('abort', end, { once: true });

  return {
    async ask({ url, method, headers, body }, named) {
      await sooner(ended, addresses.vet(url, named));
      return await fetch(url, {
        method,
        headers: [...headers],
        body,
        redirect: 'manual',
        dispatcher: agent,
        signal: ended,
      });
    },
    async failure(host, error) {
      await end();
      if (error instanceof AppError) return error;
      if (signal?.aborted) return signal.reason;
      return deadline.aborted || isTimeout(error) ? tooSlow(host, timeoutMs) : unusable(host, error);
    },
    end,
  };
}

/** The result of work that knows no signal, unless the signal comes first. */
async function sooner<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
