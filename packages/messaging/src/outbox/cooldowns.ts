import type { mongo } from 'mongoose';
import type { Logger } from 'pino';
import { isPublishRefused } from '../bus/publisher.ts';
import { backoffMs } from '../process/backoff.rules.ts';
import type { OutboxRow } from './outbox.row.ts';

const STUCK_AFTER = 8;
const WAIT = { baseMs: 500, maxMs: 60_000 };

/** Aggregates whose last publish the broker refused: they wait, growing, while all others go on. */
export interface Cooldowns {
  has(aggregate: string): boolean;
  add(row: OutboxRow, error: unknown): void;
  clear(aggregate: string): void;
}

/** A row refused again and again is marked stuck and logged as an error once; it is tried on, at longest each minute. */
export function createCooldowns(parts: { outbox: mongo.Collection<OutboxRow>; log: Logger }): Cooldowns {
  const waiting = new Map<string, { refusals: number; until: number }>();

  async function markStuck(row: OutboxRow, reason: string): Promise<void> {
    parts.log.error(
      { event: row._id, type: row.type, aggregate: row.aggregate, reason },
      'the broker keeps refusing an event; its aggregate waits, the others go on',
    );
    await parts.outbox.updateOne({ _id: row._id }, { $set: { stuck: { reason, since: new Date() } } });
  }

  return {
    has: (aggregate) => (waiting.get(aggregate)?.until ?? 0) > performance.now(),
    add(row, error) {
      // A lost connection says nothing about the row.
      if (!isPublishRefused(error)) return;
      const refusals = (waiting.get(row.aggregate)?.refusals ?? 0) + 1;
      waiting.set(row.aggregate, { refusals, until: performance.now() + backoffMs(WAIT, refusals) });
      if (refusals !== STUCK_AFTER) return;
      markStuck(row, error.message).catch((err: unknown) =>
        parts.log.warn({ err }, 'a stuck event was not marked'),
      );
    },
    clear: (aggregate) => void waiting.delete(aggregate),
  };
}
