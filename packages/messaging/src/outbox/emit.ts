import type { CloudEvent, ServiceName } from '@muster/contracts';
import type { mongo } from 'mongoose';
import { type NewEvent, toCloudEvent } from '../events/event.ts';
import type { RequestContext } from '../options.ts';

/** An event in the outbox. */
export interface OutboxRow {
  /** The event's id. */
  _id: string;
  org_id: string;
  type: string;
  /** What is published in order, one at a time: organization, kind of aggregate, subject. */
  aggregate: string;
  /** Sorts the rows of one aggregate in the order of their commits: aggregate, version, id. */
  position: string;
  /** Holds `position` for as long as the event is not published; absent afterwards. */
  pending?: string;
  /** The event as published, CloudEvents JSON. */
  body: string;
  created_at: Date;
  published_at?: Date;
  /** Why the broker keeps refusing it; such a row holds back its own aggregate only. */
  stuck?: { reason: string; since: Date };
}

const SEQ_DIGITS = 16;

/**
 * The row of an event.
 * @param kind the aggregate's kind, as declared
 */
export function outboxRow(event: CloudEvent, kind: string): OutboxRow {
  const aggregate = `${event.orgid}|${kind}|${event.subject}`;
  const position = `${aggregate}|${String(event.seq).padStart(SEQ_DIGITS, '0')}|${event.id}`;
  return {
    _id: event.id,
    org_id: event.orgid,
    type: event.type,
    aggregate,
    position,
    pending: position,
    body: JSON.stringify(event),
    created_at: new Date(),
  };
}

/** Writes events into the outbox as part of a transaction. */
export type Emit = (session: mongo.ClientSession, events: readonly NewEvent[]) => Promise<void>;

/**
 * @throws Error when an event does not fit its declaration or belongs to another service: programming errors, which
 * abort the transaction
 */
export function createEmit(parts: {
  service: ServiceName;
  outbox: mongo.Collection<OutboxRow>;
  declared: ReadonlySet<string>;
  requestContext?: RequestContext;
}): Emit {
  const { service, outbox, declared } = parts;
  return async (session, events) => {
    if (events.length === 0) return;
    if (!session.inTransaction())
      throw new Error('Events are emitted in the transaction that changes what they tell');
    const trace = parts.requestContext?.current?.();
    const rows = events.map((event) => {
      const { type, source, aggregate } = event.declaration;
      if (source !== service) throw new Error(`${type} is ${source}'s event; ${service} cannot emit it`);
      if (!declared.has(type)) throw new Error(`${type} is not in the catalogue of events`);
      return outboxRow(toCloudEvent(event, trace), aggregate);
    });
    await outbox.insertMany(rows, { session, ordered: true });
  };
}
