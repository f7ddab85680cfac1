import type { mongo } from 'mongoose';
import type { Link } from '../bus/link.ts';
import type { Publisher } from '../bus/publisher.ts';
import type { Subscriptions } from '../options.ts';
import { createLease } from '../process/lease.ts';
import { createLoop } from '../process/loop.ts';
import type { Parts } from '../process/part.ts';
import type { OutboxRow } from './emit.ts';
import { createEventPublisher, createRelay } from './relay.ts';

const STATS_MS = 5_000;
const COUNTED = 10_000;

export interface OutboxHealth {
  /** Counted up to 10 000. */
  pending: number;
  oldest_age_seconds: number;
}

/** Which published events: all of the last seven days unless told otherwise. */
export interface RepublishFilter {
  since?: Date;
  types?: readonly string[];
}

/** How much waits in an outbox. */
export async function pendingIn(outbox: mongo.Collection<OutboxRow>): Promise<OutboxHealth> {
  const [found] = await outbox
    .aggregate<{ pending: number; oldest: Date }>([
      { $match: { pending: { $gt: '' } } },
      { $limit: COUNTED },
      { $group: { _id: null, pending: { $sum: 1 }, oldest: { $min: '$created_at' } } },
    ])
    .toArray();
  const age = found ? Math.max(0, Date.now() - found.oldest.getTime()) / 1000 : 0;
  return { pending: found?.pending ?? 0, oldest_age_seconds: Math.round(age * 10) / 10 };
}

/** Marks published events as pending again, for the relay. Answers how many. */
export async function republishIn(
  outbox: mongo.Collection<OutboxRow>,
  { since = new Date(0), types }: RepublishFilter = {},
): Promise<number> {
  const filter = { published_at: { $gte: since }, ...(types && { type: { $in: [...types] } }) };
  const again = await outbox.updateMany(filter, [
    { $set: { pending: '$position' } },
    { $unset: 'published_at' },
  ]);
  return again.modifiedCount;
}

/** The outbox's way to the broker, its numbers, and its way back. */
export interface Outbox {
  start(): void;
  nudge(): void;
  health(): OutboxHealth;
  /**
   * Publishes events of the last seven days again; inboxes and version guards make what is known harmless.
   * @returns how many
   */
  republish(filter?: RepublishFilter): Promise<number>;
  /** Publishes what is pending for at most `patienceMs`, then gives the relay's lease back. */
  stop(patienceMs: number): Promise<void>;
}

export function createOutbox(
  parts: Parts,
  bus: { link: Link; publisher: Publisher; subscriptions: Subscriptions },
): Outbox {
  const { collections, timings, metrics, log, owner } = parts;
  const { outbox } = collections;
  let known: OutboxHealth = { pending: 0, oldest_age_seconds: 0 };

  const lease = createLease({
    leases: collections.leases,
    name: 'outbox-relay',
    owner,
    timings,
    log,
    onAcquired: () => relay.nudge(),
  });
  const relay = createRelay({ outbox, bus: createEventPublisher(bus), lease, timings, metrics, log });

  async function count(): Promise<void> {
    known = await pendingIn(outbox);
    metrics.outboxPending.set(known.pending);
    metrics.outboxOldestAge.set(known.oldest_age_seconds);
  }
  const stats = createLoop({ name: 'outbox numbers', everyMs: STATS_MS, log, pass: count });

  return {
    start() {
      lease.start();
      relay.start();
      stats.start();
    },
    nudge: relay.nudge,
    health: () => known,
    async republish(filter) {
      const again = await republishIn(outbox, filter);
      relay.nudge();
      return again;
    },
    async stop(patienceMs) {
      await stats.stop();
      await relay.flushAndStop(AbortSignal.timeout(patienceMs));
      await lease.stop();
    },
  };
}
