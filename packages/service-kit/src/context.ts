import type { EventDeclaration, EventInput, ServiceName } from '@muster/contracts';
import { inTransaction, type Messaging, type NewEvent, type NewSchedule, newEvent } from '@muster/messaging';
import type { ClientSession, Connection } from 'mongoose';
import type { z } from 'zod';
import { type Actor, systemActor } from './auth/actor.ts';
import type { BaseConfig } from './config.ts';
import type { Cursors } from './cursor.ts';
import type { Store } from './mongo/repository.ts';
import type { Logger } from './telemetry/log.ts';

/** What one service's process holds for as long as it runs. */
export interface Runtime {
  service: ServiceName;
  config: BaseConfig;
  connection: Connection;
  messaging: Messaging;
  cursors: Cursors;
  log: Logger;
}

/** What is ordered of a kind of work: its name, and what a payload must be. */
export interface Order<Payload extends z.ZodType> {
  kind: string;
  payload: Payload;
}

/** How work comes again: every so many minutes, under a name that is the organization's own. */
export type Recurrence = Pick<NewSchedule, 'id' | 'everyMinutes' | 'next' | 'paused'>;

/** What a use case is given: who acts, for which organization, and where state, events and jobs go. */
export interface Ctx {
  readonly org: string;
  readonly actor: Actor;
  /** Where the request came from; null for what nobody asked for. */
  readonly address: string | null;
  /** What every service reads; a service's own variables are read by its `config(ctx)`. */
  readonly config: BaseConfig;
  readonly cursors: Cursors;
  readonly log: Logger;
  /** Aborts when the caller's deadline has passed. */
  readonly signal: AbortSignal;
  readonly store: Store;
  /** The command of a person that this belongs to, if any. */
  readonly command: CommandUnderWay | null;
  /** Adds a domain event to the transaction under way. Raises when there is none. */
  emit<E extends EventDeclaration>(
    declaration: E,
    event: { subject: string; seq: number; data: EventInput<E> },
  ): Promise<void>;
  /** Adds a job to the transaction under way; answers its id. Raises when there is none, or the payload does not fit. */
  enqueue<Payload extends z.ZodType>(work: Order<Payload>, payload: z.input<Payload>): Promise<string>;
  /**
   * Adds recurring work to the transaction under way: this, again and again. The same id replaces what
   * was set before. Answers when it runs next. Raises where there is no transaction.
   */
  schedule<Payload extends z.ZodType>(
    work: Order<Payload>,
    payload: z.input<Payload>,
    recurrence: Recurrence,
  ): Promise<Date>;
  /** Ends recurring work in the transaction under way. Raises where there is none. */
  unschedule(id: string): Promise<void>;
  /** Runs work in a transaction: the one under way, or a new one. The work may run again, so it must only touch the store. */
  inTransaction<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
  /**
   * The same piece of work, in the transaction under way if there is one, for an organization that the caller's token
   * does not name. The service itself acts, which may do everything: the use case checks what it does with it.
   */
  forOrganization(org: string): Ctx;
}

/** A command that a person gave, as the audit log names it. */
export interface CommandUnderWay {
  name: string;
  /** Whether a use case has told the audit log already, which knows more than the endpoint does. */
  told: boolean;
}

/** Opens a transaction for some work, and wakes whoever carries what it committed. */
export type Transact = <T>(work: (session: ClientSession) => Promise<T>) => Promise<T>;

/**
 * Makes the context of one piece of work. `session` is the transaction under way, if there is one; `transact` opens new
 * ones where they must be more than plain, as those of a job.
 */
export function createContext(
  runtime: Runtime,
  work: {
    actor: Actor;
    signal: AbortSignal;
    address?: string | null;
    session?: ClientSession;
    transact?: Transact;
    command?: CommandUnderWay;
    /** Events that go out together at the end of the transaction. */
    outgoing?: NewEvent[];
  },
): Ctx {
  const { actor, signal, address = null, session, command = null, outgoing } = work;
  const { transact = (open) => transaction(runtime, open) } = work;
  const { messaging, connection } = runtime;
  const inSession = () => {
    if (!session) throw new Error('Events and jobs belong to a transaction: use inTransaction');
    return session;
  };

  return {
    org: actor.org,
    actor,
    address,
    config: runtime.config,
    cursors: runtime.cursors,
    log: runtime.log,
    signal,
    store: { org: actor.org, connection, session },
    command,
    async emit(declaration, event) {
      const made = newEvent(declaration, { org: actor.org, ...event });
      if (outgoing) outgoing.push(made);
      else await messaging.emit(inSession(), [made]);
    },
    async enqueue({ kind }, payload) {
      return await messaging.enqueue(inSession(), { kind, org: actor.org, payload });
    },
    async schedule({ kind }, payload, recurrence) {
      return await messaging.schedule(inSession(), { ...recurrence, kind, org: actor.org, payload });
    },
    async unschedule(id) {
      await messaging.unschedule(inSession(), { org: actor.org, id });
    },
    async inTransaction(run) {
      if (session) return await run(this);
      return await transact(async (opened) => {
        const events: NewEvent[] = [];
        const result = await run(createContext(runtime, { ...work, session: opened, outgoing: events }));
        if (events.length > 0) await messaging.emit(opened, events);
        return result;
      });
    },
    forOrganization(other) {
      return createContext(runtime, { ...work, actor: systemActor(other, runtime.service) });
    },
  };
}

/** One transaction, `w:majority`; wakes the relay and the job scheduler after its commit. */
export async function transaction<T>(
  { connection, messaging }: Pick<Runtime, 'connection' | 'messaging'>,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const result = await inTransaction(connection, work);
  messaging.nudge();
  return result;
}
