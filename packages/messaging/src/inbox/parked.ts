import type { mongo } from 'mongoose';
import type { Logger } from 'pino';
import type { Publisher } from '../bus/publisher.ts';
import { deadQueue, retryQueue } from '../bus/topology.ts';
import type { Metrics } from '../metrics.ts';
import type { Gate } from '../process/engine.ts';
import { Abandoned, holding } from '../process/engine.ts';
import { pause } from '../process/loop.ts';
import { afterFailure } from './failure.rules.ts';
import type { Received } from './message.ts';
import { ATTEMPT_HEADER, typeOf } from './message.ts';

/** A message that was given up for now. */
export interface ParkedMessage {
  /** The event's id. */
  _id: string;
  org_id: string;
  type: string;
  subject: string;
  body: string;
  reason?: string;
  attempts?: number;
  parked_at?: Date;
  replayed_at?: Date;
  /** Counts the quarantine's tries; written before each. */
  trying?: number;
}

/** A parked message as operators see it. */
export interface Parked {
  id: string;
  org_id: string;
  type: string;
  subject: string;
  reason: string;
  attempts: number;
  parked_at: string;
}

/** Messages that were given up, with the reason; each can be replayed. */
export interface ParkedMessages {
  park(received: Received, reason: string): Promise<void>;
  /** Counts a quarantined try before it begins. @returns how many there were, this one included */
  beginTry(received: Received): Promise<number>;
  /** Forgets the tries of a message that turned out well. */
  endTry(received: Received): Promise<void>;
  /** Newest first, at most 1000. */
  list(): Promise<Parked[]>;
  /** @throws Error when there is no such message, or it cannot be sent now; then it stays parked */
  replay(id: string): Promise<void>;
}

export function createParkedMessages(parts: {
  rows: mongo.Collection<ParkedMessage>;
  metrics: Metrics;
  resend(id: string, type: string, body: string): Promise<void>;
}): ParkedMessages {
  const { rows } = parts;
  return {
    async park(received, reason) {
      await rows.updateOne(
        { _id: received.id },
        {
          $set: { ...about(received), reason, attempts: received.attempt + 1, parked_at: new Date() },
          $unset: { replayed_at: '', trying: '' },
        },
        { upsert: true },
      );
      parts.metrics.parked.inc({ type: about(received).type });
    },
    async beginTry(received) {
      const row = await rows.findOneAndUpdate(
        { _id: received.id },
        { $inc: { trying: 1 }, $setOnInsert: about(received) },
        { upsert: true, returnDocument: 'after' },
      );
      return row?.trying ?? 1;
    },
    async endTry({ id }) {
      await rows.updateOne({ _id: id }, { $unset: { trying: '' } });
      await rows.deleteOne({ _id: id, parked_at: { $exists: false } });
    },
    async list() {
      const found = await rows
        .find({ parked_at: { $exists: true }, replayed_at: { $exists: false } })
        .sort({ parked_at: -1 })
        .limit(1_000)
        .toArray();
      return found.map(shown);
    },
    async replay(id) {
      const row = await rows.findOne({ _id: id, parked_at: { $exists: true } });
      if (!row) throw new Error(`No message ${id} is parked`);
      await parts.resend(row._id, row.type, row.body);
      await rows.updateOne({ _id: id }, { $set: { replayed_at: new Date() } });
    },
  };
}

function about({ body, content }: Received) {
  return content.ok
    ? { org_id: content.event.orgid, type: content.event.type, subject: content.event.subject, body }
    : { org_id: 'unknown', type: 'unknown', subject: 'unknown', body };
}

function shown(row: ParkedMessage): Parked {
  return {
    id: row._id,
    org_id: row.org_id,
    type: row.type,
    subject: row.subject,
    reason: row.reason ?? '',
    attempts: row.attempts ?? 0,
    parked_at: (row.parked_at ?? new Date(0)).toISOString(),
  };
}

/** Where messages go that cannot be handled now. Each resolves when the message is durable there; raises Abandoned. */
export interface Aside {
  /** Into the next retry queue, or parked after the last. */
  retryOrPark(received: Received, error: unknown, gone: AbortSignal): Promise<void>;
  park(received: Received, reason: string, gone: AbortSignal): Promise<void>;
  /** To the dead-letter queue, where it is handled alone. */
  quarantine(received: Received, gone: AbortSignal): Promise<void>;
}

const BETWEEN_SENDS_MS = 500;
const BETWEEN_PARKINGS_MS = 5_000;

export function createAside(parts: {
  service: string;
  parked: ParkedMessages;
  publisher: Publisher;
  /** Declares queues anew that were found missing. */
  redeclare(reason: string): void;
  gate: Gate;
  retryDelaysMs: readonly number[];
  metrics: Metrics;
  log: Logger;
}): Aside {
  const { service, publisher, gate, parked, metrics, log } = parts;

  async function park(received: Received, reason: string, gone: AbortSignal): Promise<void> {
    for (;;) {
      try {
        await holding(gate, gone, () => parked.park(received, reason));
        break;
      } catch (error) {
        if (error instanceof Abandoned) throw error;
        log.error({ err: error, event: received.id }, 'a message could not be parked; it is tried again');
        await pause(BETWEEN_PARKINGS_MS, gone);
      }
    }
    metrics.consumed.inc({ type: typeOf(received), result: 'parked' });
    log.error({ event: received.id, type: typeOf(received), reason }, 'a message was parked');
  }

  /** Puts the message into another queue, for as long as it takes. */
  async function sendOn(
    queue: string,
    received: Received,
    attempt: number,
    gone: AbortSignal,
  ): Promise<void> {
    const message = {
      ...{ exchange: '', routingKey: queue, messageId: received.id, type: typeOf(received) },
      body: Buffer.from(received.body),
      headers: { [ATTEMPT_HEADER]: attempt },
    };
    for (;;) {
      if (gone.aborted) throw new Abandoned();
      const outcome = await publisher.send(message).catch(() => 'failed' as const);
      if (outcome === 'confirmed') return;
      if (outcome === 'unrouted') parts.redeclare(`${queue} is missing`);
      await pause(BETWEEN_SENDS_MS, gone);
    }
  }

  return {
    park,
    async retryOrPark(received, error, gone) {
      const reason = error instanceof Error ? error.message : String(error);
      const next = afterFailure(received.attempt, parts.retryDelaysMs);
      if (next.kind === 'park') return await park(received, reason, gone);
      await sendOn(retryQueue(service, next.delayMs), received, next.attempt, gone);
      metrics.consumed.inc({ type: typeOf(received), result: 'retried' });
    },
    quarantine: (received, gone) => sendOn(deadQueue(service), received, received.attempt, gone),
  };
}
