import type { mongo } from 'mongoose';
import type { Publisher } from '../bus/publisher.ts';
import { eventQueue } from '../bus/topology.ts';
import type { Metrics } from '../metrics.ts';
import type { Received } from './message.ts';

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

/** Which parked messages are wanted: all of them, at most a thousand, unless told otherwise. */
export interface ParkedQuery {
  /** Only this organization's. */
  org?: string;
  /** Only what comes after this id in the list. */
  below?: string | undefined;
  limit?: number;
  oldestFirst?: boolean;
}

/** A row that was replayed, or is only tried in quarantine, is not parked. */
const PARKED = { parked_at: { $exists: true } };

/** Messages that were given up, with the reason; each can be replayed. */
export interface ParkedMessages {
  park(received: Received, reason: string): Promise<void>;
  /** Counts a quarantined try before it begins. @returns how many there were, this one included */
  beginTry(received: Received): Promise<number>;
  /** Forgets the tries of a message that turned out well. */
  endTry(received: Received): Promise<void>;
  /** What is parked now, the newest event first. */
  list(query?: ParkedQuery): Promise<Parked[]>;
  count(org: string): Promise<number>;
  /** One of an organization's; undefined when it is not parked. */
  get(org: string, id: string): Promise<Parked | undefined>;
  /**
   * Puts one back into the service's queue.
   * @throws Error when there is no such message, or it cannot be sent now; then it stays parked
   */
  replay(id: string): Promise<void>;
}

type Resend = (id: string, type: string, body: string) => Promise<void>;

/** Puts messages into a service's queue. */
export function resendTo(service: string, publisher: Publisher): Resend {
  const queue = eventQueue(service);
  return async (messageId, type, body) => {
    const message = { exchange: '', routingKey: queue, messageId, type, body: Buffer.from(body) };
    const outcome = await publisher.send(message);
    if (outcome === 'unrouted') throw new Error(`the queue ${queue} is missing: start the service first`);
  };
}

export function createParkedMessages(parts: {
  rows: mongo.Collection<ParkedMessage>;
  metrics: Metrics;
  resend: Resend;
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
    async list({ org, below, limit = 1_000, oldestFirst = false } = {}) {
      const filter = {
        ...(org !== undefined && { org_id: org }),
        ...(below !== undefined && { _id: { $lt: below } }),
        ...PARKED,
      };
      const sorted = rows.find(filter).sort({ _id: oldestFirst ? 1 : -1 });
      const found = await sorted.limit(limit).toArray();
      return found.map(shown);
    },
    count: (org) => rows.countDocuments({ org_id: org, ...PARKED }),
    async get(org, id) {
      const row = await rows.findOne({ _id: id, org_id: org, ...PARKED });
      return row ? shown(row) : undefined;
    },
    async replay(id) {
      const row = await rows.findOne({ _id: id, ...PARKED });
      if (!row) throw new Error(`No message ${id} is parked`);
      await parts.resend(row._id, row.type, row.body);
      // By now it may have failed and been parked again: that parking stays.
      await rows.updateOne(
        { _id: id, parked_at: row.parked_at },
        { $set: { replayed_at: new Date() }, $unset: { parked_at: '' } },
      );
    },
  };
}

function about({ body, content: { event } }: Received) {
  return event
    ? { org_id: event.orgid, type: event.type, subject: event.subject, body }
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
