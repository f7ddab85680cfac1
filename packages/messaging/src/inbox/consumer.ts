import type { CloudEvent, EventData, EventDeclaration } from '@muster/contracts';
import type { Connection, mongo } from 'mongoose';
import type { Logger } from 'pino';
import type { NewEvent } from '../events/event.ts';
import type { NewJob } from '../jobs/job.ts';

/** What a reaction works with: its effect, its inbox mark and all it emits and enqueues are this one transaction. */
export interface ConsumerTx {
  session: mongo.ClientSession;
  org: string;
  emit(...events: NewEvent[]): Promise<void>;
  /** @returns the job's id */
  enqueue(job: Omit<NewJob, 'org'>): Promise<string>;
  log: Logger;
  /** The service's database; pass `session` to every call. */
  db: mongo.Db;
  connection: Connection;
}

/** A declared reaction to an event. */
export interface Consumer {
  name: string;
  declaration: EventDeclaration;
  order: 'aggregate' | 'organization';
  handle(event: CloudEvent, tx: ConsumerTx): Promise<void>;
  /** Takes several events at once that came one after the other; without it, each goes to `handle`. */
  handleAll?(events: readonly CloudEvent[], tx: ConsumerTx): Promise<void>;
}

/**
 * Declares a reaction to an event. It may run again after a conflict or a failure, so it touches only the database,
 * through `tx`; what goes outside belongs in a job. It never runs twice to the end for one event.
 * @param handle raises to have the event tried again, later and later, and at last parked
 * @param options.name keys the inbox marks: it must stay the same; default the event's type
 * @param options.order what is never handled side by side: events of one aggregate (default), or, for a projection
 * that all events of an organization write to, of one organization
 */
export function consumer<E extends EventDeclaration>(
  declaration: E,
  handle: (event: CloudEvent<EventData<E>>, tx: ConsumerTx) => Promise<void>,
  options: { name?: string; order?: Consumer['order'] } = {},
): Consumer {
  return {
    name: options.name ?? declaration.type,
    declaration,
    order: options.order ?? 'aggregate',
    // The data was parsed by this declaration before.
    handle: (event, tx) => handle(event as CloudEvent<EventData<E>>, tx),
  };
}

/** Declares a reaction to all events that came one after the other, where each alone would cost as much as all. */
export function batchConsumer<E extends EventDeclaration>(
  declaration: E,
  handle: (events: readonly CloudEvent<EventData<E>>[], tx: ConsumerTx) => Promise<void>,
  options: { name?: string; order?: Consumer['order'] } = {},
): Consumer {
  return {
    ...consumer(declaration, (event, tx) => handle([event], tx), options),
    handleAll: (events, tx) => handle(events as readonly CloudEvent<EventData<E>>[], tx),
  };
}
