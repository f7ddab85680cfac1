import { PROBLEMS } from '@muster/contracts';
import type { Connection } from 'mongoose';
import { pause } from './pause.ts';

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
