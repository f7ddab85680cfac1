import { setTimeout as pause } from 'node:timers/promises';
import type { Response } from 'express';
import { AppError } from '../errors.ts';

/** With the 2 s that a standing is remembered, what ends a token or its owner's role ends a stream within 5 s. */
const LOOK_EVERY_MS = 1_500;

/**
 * The signal of an answer that goes on: it aborts when its reader leaves, when the service stops, and when the same
 * request would not be let in any more, because its token ended or its owner may do less.
 * @param enter lets the request in again; raises what it would be refused with
 */
export function streamSignal(
  response: Response,
  stopping: AbortSignal,
  enter: () => Promise<unknown>,
): AbortSignal {
  const left = new AbortController();
  response.once('close', () => left.abort());
  const open = AbortSignal.any([left.signal, stopping]);
  const refused = new AbortController();
  void untilRefused(open, enter).then(() => refused.abort());
  return AbortSignal.any([open, refused.signal]);
}

async function untilRefused(open: AbortSignal, enter: () => Promise<unknown>): Promise<void> {
  for (;;) {
    await pause(LOOK_EVERY_MS, undefined, { signal: open, ref: false }).catch(() => undefined);
    if (open.aborted) return;
    try {
      await enter();
    } catch (error) {
      if (isRefusal(error)) return;
    }
  }
}

/** An engine that is away for a moment refuses nobody. */
const isRefusal = (error: unknown) =>
  error instanceof AppError && (error.status === 401 || error.status === 403);
