/** Tries in the process, one right after the other, before a message waits in a retry queue. */
export const IMMEDIATE_TRIES = 3;
/** Deliveries without an answer after which a message is suspected of ending the process. */
export const SUSPECT_DELIVERIES = 5;
/** Tries of a suspect in quarantine, where it is handled alone. */
export const QUARANTINE_TRIES = 3;

export type NextStep = { kind: 'retry'; delayMs: number; attempt: number } | { kind: 'park' };

/**
 * What becomes of a message whose immediate tries failed.
 * @param attempt how many retry queues it has been through, from its own header
 * @param delaysMs the retry queues' delays, in order
 */
export function afterFailure(attempt: number, delaysMs: readonly number[]): NextStep {
  const delayMs = delaysMs[attempt];
  return delayMs === undefined ? { kind: 'park' } : { kind: 'retry', delayMs, attempt: attempt + 1 };
}
