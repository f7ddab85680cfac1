import type { CloudEvent, EventDeclaration } from '@muster/contracts';
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

/** A reaction to an event. */
export interface Consumer {
  /** Keys the inbox marks: it must stay the same. */
  name: string;
  declaration: EventDeclaration;
  /** What is never handled side by side: the events of one aggregate, or all of one organization's. */
  order: 'aggregate' | 'organization';
  /**
   * May run again after a conflict or a failure, so it touches only the database, through `tx`; what goes outside belongs
   * in a job. It never runs twice to the end for one event. Raises to have the event tried again, and at last parked.
   */
  handle(event: CloudEvent, tx: ConsumerTx): Promise<void>;
  /** Takes several events at once that came one after the other; without it, each goes to `handle`. */
  handleAll?(events: readonly CloudEvent[], tx: ConsumerTx): Promise<void>;
}
