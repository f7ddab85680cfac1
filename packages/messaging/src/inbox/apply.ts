import type { CloudEvent } from '@muster/contracts';
import type { Connection, mongo } from 'mongoose';
import type { Logger } from 'pino';
import type { Enqueue } from '../jobs/enqueue.ts';
import type { RequestContext } from '../options.ts';
import type { Emit } from '../outbox/emit.ts';
import { type Collections, isDuplicateKey } from '../store/collections.ts';
import { inTransaction } from '../store/transaction.ts';
import type { Consumer, ConsumerTx } from './consumer.ts';

/** Says that a consumer has handled an event. */
export interface InboxMark {
  /** `<consumer>|<event id>`. */
  _id: string;
  org_id: string;
  handled_at: Date;
}

/** Lets a consumer react to an event, once. */
export type Apply = (consumer: Consumer, event: CloudEvent) => Promise<'applied' | 'duplicate'>;

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

  async function mark(consumer: Consumer, event: CloudEvent, session: mongo.ClientSession): Promise<void> {
    if (parts.skipInbox) return;
    try {
      await collections.inbox.insertOne(
        { _id: `${consumer.name}|${event.id}`, org_id: event.orgid, handled_at: new Date() },
        { session },
      );
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

  async function transact(consumer: Consumer, event: CloudEvent): Promise<'applied' | 'duplicate'> {
    try {
      await inTransaction(connection, async (session) => {
        await mark(consumer, event, session);
        await consumer.handle(event, txOf(session, event));
      });
    } catch (error) {
      if (error instanceof AlreadyHandled) return 'duplicate';
      throw error;
    }
    parts.nudge();
    return 'applied';
  }

  return (consumer, event) => {
    const trace = { traceparent: event.traceparent, requestId: event.requestid, orgId: event.orgid };
    const work = () => transact(consumer, event);
    return parts.requestContext ? parts.requestContext.run(trace, work) : work();
  };
}
