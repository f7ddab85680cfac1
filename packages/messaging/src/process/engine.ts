import { PROBLEMS } from '@muster/contracts';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import { pause } from './loop.ts';

const DOWN_NAMES = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
  'MongoWaitQueueTimeoutError',
  'MongoOperationTimeoutError',
  'MongooseServerSelectionError',
]);

/** https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml: the server is away, or not primary. */
const DOWN_CODES = new Set([6, 7, 89, 91, 189, 9001, 10107, 11600, 11602, 13435, 13436, 14031]);

/** Of a socket; the driver lets some of them through as they are. */
const CUT_OFF = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT']);

/**
 * True when an error says that MongoDB is away, shutting down, not primary or out of disk. Such an error is nobody's
 * failed message or job: it must burn no attempt. One that carries a code of the contracts speaks for itself: somebody
 * else's server that takes no connection is no engine.
 */
export function isEngineDown(error: unknown): boolean {
  if (!(error instanceof Error) && !(typeof error === 'object' && error !== null)) return false;
  const { name, code, cause, errorResponse } = error as {
    name?: string;
    code?: unknown;
    cause?: unknown;
    errorResponse?: unknown;
  };
  if (typeof code === 'string' && Object.hasOwn(PROBLEMS, code)) return false;
  if (DOWN_NAMES.has(name ?? '') || (typeof code === 'number' && DOWN_CODES.has(code))) return true;
  if (typeof code === 'string' && CUT_OFF.has(code)) return true;
  // A write of several rows that was cut off holds what cut it off as the server's answer.
  return [cause, errorResponse].some((within) => within !== error && isEngineDown(within));
}

/** Resolves when MongoDB's primary answers again, or when the signal aborts. */
export async function engineBack(connection: Connection, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      // A signal, since the driver's own `timeoutMS` has no effect on commands any more.
      await connection.db?.command({ ping: 1 }, { signal: AbortSignal.timeout(2_000) });
      return;
    } catch {
      await pause(1_000, signal);
    }
  }
}

const WRITE_CONFLICT = 112;

/** Repeats work for as long as MongoDB is away or another writer is first; any other error is passed on. */
export async function throughOutages<T>(
  connection: Connection,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const conflict = (error as { code?: unknown }).code === WRITE_CONFLICT;
      if (signal.aborted || !(conflict || isEngineDown(error))) throw error;
      await (conflict ? pause(20, signal) : engineBack(connection, signal));
    }
  }
}

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

/** The message's connection is gone, or the process stops: the broker will deliver it again. */
export class LinkGone extends Error {}

/**
 * Repeats work that needs MongoDB for as long as it is away. That burns no try.
 * @param gone aborts when the message's connection is gone
 * @throws LinkGone, or what the work raises for a reason of its own
 */
export async function holding<T>(gate: Gate, gone: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    if (gone.aborted) throw new LinkGone();
    try {
      return await work();
    } catch (error) {
      if (!isEngineDown(error)) throw error;
      gate.close();
      if (!(await gate.opened())) throw new LinkGone();
    }
  }
}
