import type { ServiceName } from '@muster/contracts';
import type { mongo } from 'mongoose';
import { type NewEvent, toCloudEvent } from '../events/event.ts';
import type { RequestContext } from '../options.ts';
import { type OutboxRow, outboxRow } from './outbox.row.ts';

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
