import type { OutboxRow } from './emit.ts';

/** Publishes one row: resolves when the broker has it, rejects with the reason when it has not. */
export type PublishRow = (row: OutboxRow) => Promise<void>;

export interface LaneFailure {
  row: OutboxRow;
  error: unknown;
}

/**
 * Publishes rows in order within each aggregate and side by side across aggregates: at most one unconfirmed row per
 * aggregate, at most `width` in all. A failure ends its own lane only.
 */
export interface Lanes {
  /** Starts a lane for each aggregate that has none; rows in order. Returns false when no more lanes fit. */
  offer(rows: readonly OutboxRow[]): boolean;
  /** Rows confirmed since the last call. Their aggregates stay taken until `release`. */
  confirmed(): OutboxRow[];
  /** Says that these rows are no longer pending, so that a reader cannot offer them again. */
  release(rows: readonly OutboxRow[]): void;
  size(): number;
}

export function createLanes(parts: {
  width: number;
  publish: PublishRow;
  onConfirmed(row: OutboxRow): void;
  onFailed(failure: LaneFailure): void;
}): Lanes {
  const running = new Set<string>();
  /** Aggregates with confirmed rows that are still marked pending, and how many. */
  const unmarked = new Map<string, number>();
  let done: OutboxRow[] = [];

  async function run(aggregate: string, rows: readonly OutboxRow[]): Promise<void> {
    for (const row of rows) {
      try {
        await parts.publish(row);
      } catch (error) {
        running.delete(aggregate);
        parts.onFailed({ row, error });
        return;
      }
      done.push(row);
      unmarked.set(aggregate, (unmarked.get(aggregate) ?? 0) + 1);
      parts.onConfirmed(row);
    }
    running.delete(aggregate);
  }

  return {
    offer(rows) {
      for (const [aggregate, own] of Map.groupBy(rows, (row) => row.aggregate)) {
        if (running.has(aggregate) || unmarked.has(aggregate)) continue;
        if (running.size >= parts.width) return false;
        running.add(aggregate);
        void run(aggregate, own);
      }
      return true;
    },
    confirmed() {
      const taken = done;
      done = [];
      return taken;
    },
    release(rows) {
      for (const { aggregate } of rows) {
        const left = (unmarked.get(aggregate) ?? 0) - 1;
        if (left > 0) unmarked.set(aggregate, left);
        else unmarked.delete(aggregate);
      }
    },
    size: () => running.size,
  };
}
