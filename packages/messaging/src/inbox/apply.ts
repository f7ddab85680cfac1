import type { CloudEvent } from '@muster/contracts';
import type { Connection, mongo } from 'mongoose';
import type { Logger } from 'pino';
import type { Enqueue } from '../jobs/enqueue.ts';
import type { RequestContext } from '../options.ts';
import type { Emit } from '../outbox/emit.ts';
import type { Collections } from '../store/collections.ts';
import { isDuplicateKey } from '../store/duplicate.ts';
import { inTransaction } from '../store/transaction.ts';
import type { Consumer, ConsumerTx } from './consumer.ts';

/** A consumer, and the events that it is to react to, in their order. */
export interface Batch {
  consumer: Consumer;
  events: readonly CloudEvent[];
}

/** Lets consumers react to events, once, in one transaction: `duplicate` when one of them had been handled before. */
export type Apply = (batches: readonly Batch[]) => Promise<'applied' | 'duplicate'>;

class AlreadyHandled extends Error {}

/** @param parts.skipInbox a negative control: without the mark, a duplicate is applied again */
export function createApply(parts: {
  connection: Connection;
  collections: Collections;
  emit: Emit;
  enqueue: Enqueue;
  nudge(): void;
  log: Logger;
  requestContext?: RequestContext;
  skipInbox?: boolean;
}): Apply {
  const { connection, collections } = parts;

  async function mark(batches: readonly Batch[], session: mongo.ClientSession): Promise<void> {
    if (parts.skipInbox) return;
    const handled_at = new Date();
    const marks = batches.flatMap(({ consumer, events }) =>
      events.map(({ id, orgid }) => ({ _id: `${consumer.name}|${id}`, org_id: orgid, handled_at })),
    );
    try {
      await collections.inbox.insertMany(marks, { session, ordered: true });
    } catch (error) {
      throw isDuplicateKey(error) ? new AlreadyHandled() : error;
    }
  }

  function txOf(session: mongo.ClientSession, event: CloudEvent): ConsumerTx {
    return {
      session,
      org: event.orgid,
      emit: (...events) => parts.emit(session, events),
      enqueue: (job) => parts.enqueue(session, { ...job, org: event.orgid }),
      log: parts.log,
      db: collections.inbox.db,
      connection,
    };
  }

  async function react({ consumer, events }: Batch, session: mongo.ClientSession): Promise<void> {
    const [first] = events;
    if (!first) return;
    if (consumer.handleAll) {
      const { handleAll } = consumer;
      return await traced(consumer, first, () => handleAll(events, txOf(session, first)));
    }
    for (const event of events)
      await traced(consumer, event, () => consumer.handle(event, txOf(session, event)));
  }

  function traced(consumer: Consumer, event: CloudEvent, work: () => Promise<void>): Promise<void> {
    const { traceparent, requestid: requestId, orgid: orgId } = event;
    const trace = { name: `${consumer.name} ${event.type}`, traceparent, requestId, orgId };
    return parts.requestContext ? parts.requestContext.run(trace, work) : work();
  }

  return async (batches) => {
    try {
      await inTransaction(connection, async (session) => {
        await mark(batches, session);
        for (const each of batches) await react(each, session);
      });
    } catch (error) {
      if (error instanceof AlreadyHandled) return 'duplicate';
      throw error;
    }
    parts.nudge();
    return 'applied';
  };
}
