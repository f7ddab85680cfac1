import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import { engineBack } from './engine.ts';

/** Closed while MongoDB is away: consumers stop taking messages, and what they hold waits. */
export interface Gate {
  closed(): boolean;
  /** Says that MongoDB was found away; opens again by itself. */
  close(): void;
  /** Resolves when open, with false when the process stops first. */
  opened(): Promise<boolean>;
  onChange(listener: () => void): void;
  /** Ends the waiting; the gate stays as it is. */
  stop(): void;
}

export function createGate(parts: { connection: Connection; log: Logger }): Gate {
  const stopping = new AbortController();
  const listeners = new Set<() => void>();
  let waiting: Promise<void> | undefined;
  const tell = () => {
    for (const listener of listeners) listener();
  };

  async function waitForEngine(): Promise<void> {
    parts.log.warn('MongoDB is away; consumers wait');
    await engineBack(parts.connection, stopping.signal);
    if (stopping.signal.aborted) return;
    waiting = undefined;
    parts.log.info('MongoDB is back; consumers go on');
    tell();
  }

  return {
    closed: () => waiting !== undefined,
    close() {
      if (waiting) return;
      waiting = waitForEngine();
      tell();
    },
    async opened() {
      await waiting;
      return !stopping.signal.aborted;
    },
    onChange: (listener) => void listeners.add(listener),
    stop: () => stopping.abort(),
  };
}
