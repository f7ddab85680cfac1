import { EVENT_EXCHANGE } from '@muster/contracts';
import type { mongo } from 'mongoose';
import type { Logger } from 'pino';
import type { Link } from '../bus/link.ts';
import { isPublishRefused, PublishError, type Publisher } from '../bus/publisher.ts';
import type { Metrics } from '../metrics.ts';
import type { Subscriptions, Timings } from '../options.ts';
import { backoffMs } from '../process/backoff.rules.ts';
import type { Lease } from '../process/lease.ts';
import { createLoop } from '../process/loop.ts';
import type { OutboxRow } from './emit.ts';
import { createLanes } from './lanes.ts';

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

/**
 * Publishes outbox rows. An event that no service declared to consume has no queue, and is published all the same; one
 * that somebody consumes but no queue took is refused, and the topology declared again.
 */
export function createEventPublisher(parts: {
  link: Link;
  publisher: Publisher;
  subscriptions: Subscriptions;
}): EventPublisher {
  const { link, publisher } = parts;
  const consumed = new Set(Object.values(parts.subscriptions).flat());
  return {
    ready: publisher.ready,
    rebuild: link.rebuild,
    async publish(row) {
      const outcome = await publisher.send({
        exchange: EVENT_EXCHANGE,
        routingKey: row.type,
        body: Buffer.from(row.body),
        messageId: row._id,
        type: row.type,
      });
      if (outcome === 'confirmed' || !consumed.has(row.type)) return;
      link.rebuild(`no queue took a ${row.type}`);
      throw new PublishError('refused', `no queue took this ${row.type}, which has consumers`);
    },
  };
}

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
