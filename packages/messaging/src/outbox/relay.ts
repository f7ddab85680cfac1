import type { mongo } from 'mongoose';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics.ts';
import type { Lease } from '../process/lease.ts';
import { createLoop } from '../process/loop.ts';
import type { Timings } from '../process/timings.ts';
import { createCooldowns } from './cooldowns.ts';
import { createLanes } from './lanes.ts';
import type { OutboxRow } from './outbox.row.ts';

const WIDTH = 256;
const PAGE = 512;
/** Under load, so many commits and confirms share one look at the outbox. */
const REST_MS = 20;

/** What the relay needs of the bus. */
export interface EventPublisher {
  ready(): boolean;
  publish(row: OutboxRow): Promise<void>;
  /** Builds the connection anew. */
  rebuild(reason: string): void;
}

/** Carries the outbox's pending rows to the broker, as long as this process holds the lease. */
export interface Relay {
  start(): void;
  nudge(): void;
  /** Publishes what is pending, then stops; gives up when the signal aborts. */
  flushAndStop(deadline: AbortSignal): Promise<void>;
}

export function createRelay(parts: {
  outbox: mongo.Collection<OutboxRow>;
  bus: EventPublisher;
  lease: Lease;
  timings: Timings;
  metrics: Metrics;
  log: Logger;
}): Relay {
  const { outbox, bus, lease, timings, metrics, log } = parts;
  let cursor = '';
  let unmarkedRows: OutboxRow[] = [];
  let movedAt = performance.now();
  let empty = false;

  const cooldowns = createCooldowns({ outbox, log });
  const lanes = createLanes({
    width: WIDTH,
    publish: bus.publish,
    onConfirmed(row) {
      movedAt = performance.now();
      metrics.published.inc({ type: row.type });
      cooldowns.clear(row.aggregate);
      loop.nudge();
    },
    onFailed({ row, error }) {
      cooldowns.add(row, error);
      loop.nudge();
    },
  });

  async function pass(): Promise<void> {
    await unmark();
    if (!lease.held() || !bus.ready()) {
      movedAt = performance.now();
      return;
    }
    const rows = await outbox
      .find({ pending: { $gt: cursor } })
      .sort({ pending: 1 })
      .limit(PAGE)
      .toArray();
    empty = rows.length === 0 && cursor === '';
    const fitted = lanes.offer(rows.filter((row) => !cooldowns.has(row.aggregate)));
    const last = rows.at(-1);
    cursor = fitted && rows.length === PAGE && last ? behind(last.aggregate) : '';
    if (cursor !== '') loop.nudge();
    watch();
  }

  /** Reading comes after this, so that a confirmed row is never read as pending again. */
  async function unmark(): Promise<void> {
    unmarkedRows.push(...lanes.confirmed());
    if (unmarkedRows.length === 0) return;
    const rows = unmarkedRows;
    const ids = rows.map((row) => row._id);
    await outbox.updateMany(
      { _id: { $in: ids } },
      { $unset: { pending: '', stuck: '' }, $set: { published_at: new Date() } },
    );
    unmarkedRows = [];
    lanes.release(rows);
  }

  function watch(): void {
    if (lanes.size() === 0) movedAt = performance.now();
    else if (performance.now() - movedAt > timings.watchdogMs) {
      movedAt = performance.now();
      bus.rebuild(`events wait and nothing was confirmed for ${timings.watchdogMs / 1000} s`);
    }
  }

  const loop = createLoop({
    name: 'outbox relay',
    everyMs: timings.relayPollMs,
    restMs: REST_MS,
    log,
    pass,
  });
  return {
    start: loop.start,
    nudge: loop.nudge,
    async flushAndStop(deadline) {
      empty = false;
      while (!deadline.aborted && lease.held() && bus.ready() && !(empty && lanes.size() === 0)) {
        loop.nudge();
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      await loop.stop();
      await unmark();
    },
  };
}

/** Behind every position of an aggregate: a page always begins with the first pending row of its aggregate. */
const behind = (aggregate: string) => `${aggregate}|~`;
