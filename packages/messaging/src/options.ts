import type { EventDeclaration, ServiceName } from '@muster/contracts';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Consumer } from './inbox/consumer.ts';
import type { JobKind } from './jobs/kind.ts';

/** Every waiting time of messaging, in milliseconds. Tests shorten them; services use the defaults. */
export interface Timings {
  /** Waits of the retry queues; part of their names, since a queue's arguments cannot change. */
  retryDelaysMs: readonly number[];
  /** How often the relay looks for pending rows when nothing nudged it. */
  relayPollMs: number;
  /** How long a publish may stay unconfirmed. */
  confirmMs: number;
  /** How often the holder of a lease says it is alive. */
  leaseBeatMs: number;
  /** How long a beat must stand still before another process takes the lease. */
  leaseStaleMs: number;
  /** How long nothing may move, with work waiting, before a connection is built anew. */
  watchdogMs: number;
  /** How often the broker is to say that it lives, in whole seconds; three times without a word, and it is given up. */
  heartbeatMs: number;
  /** Longest wait between two attempts to connect. */
  reconnectMs: number;
  /** How often new jobs are looked for when nothing nudged the dispatcher. */
  dispatchPollMs: number;
  /** How often a running job says it is alive, and learns that it was cancelled. */
  jobBeatMs: number;
  /** How often the reconciler compares MongoDB with Redis. */
  reconcileMs: number;
  /** How long a scheduled job may wait before the reconciler asks whether Redis still has it. */
  overdueMs: number;
  /** How often a followed job is read. */
  watchMs: number;
  /** Bound of a graceful stop. */
  stopMs: number;
}

export const DEFAULT_TIMINGS: Timings = {
  retryDelaysMs: [5_000, 30_000, 120_000, 600_000],
  relayPollMs: 200,
  confirmMs: 10_000,
  leaseBeatMs: 3_000,
  leaseStaleMs: 15_000,
  watchdogMs: 60_000,
  heartbeatMs: 10_000,
  reconnectMs: 5_000,
  dispatchPollMs: 1_000,
  jobBeatMs: 3_000,
  reconcileMs: 5_000,
  overdueMs: 60_000,
  watchMs: 250,
  stopMs: 25_000,
};

/** What travels with a piece of work: W3C trace context, the request's id, the organization. */
export interface Trace {
  /** What the piece of work is called where traces are shown. */
  name: string;
  traceparent?: string;
  requestId?: string;
  orgId: string;
}

/** Lets logs, events and jobs inside a reaction or a job carry the trace of what caused them. */
export interface RequestContext {
  run<T>(trace: Trace, work: () => Promise<T>): Promise<T>;
  /** The trace of the work under way; it is written into what that work emits and enqueues. */
  current?(): { traceparent?: string; requestId?: string } | undefined;
}

/** Which event types each service consumes. With it, whoever starts first declares every queue. */
export type Subscriptions = Partial<Record<ServiceName, readonly string[]>>;

/** What messaging needs of a process. */
export interface MessagingOptions {
  service: ServiceName;
  /** An open connection to the service's own database; a replica set, since everything here is transactions. */
  connection: Connection;
  amqpUrl: string;
  redisUrl: string;
  /** Put before every BullMQ key. */
  redisPrefix: string;
  /** `api` publishes and schedules; `worker` also consumes and runs jobs; `all` is both. */
  role: 'api' | 'worker' | 'all';
  log: Logger;
  registry: Registry;
  consumers: readonly Consumer[];
  jobs: readonly JobKind[];
  catalogue: readonly EventDeclaration[];
  subscriptions?: Subscriptions;
  requestContext?: RequestContext;
  timings?: Partial<Timings>;
  /** Negative controls for tests: what must go wrong without a safeguard. */
  faults?: { skipInbox?: boolean };
}

/**
 * Refuses a set of options that could not work.
 * @throws Error with one line that names the event, consumer or job kind
 */
export function checkOptions(options: MessagingOptions): void {
  const known = new Set(options.catalogue.map((declared) => declared.type));
  for (const { declaration } of options.consumers) {
    if (!known.has(declaration.type))
      throw new Error(`A consumer listens to ${declaration.type}, which the catalogue does not declare`);
  }
  const misnamed = options.jobs.find(({ kind }) => !/^[a-z][a-z0-9-]*$/.test(kind));
  if (misnamed) throw new Error(`A kind of job is named like sync-directory, not ${misnamed.kind}`);
  refuseRepeated(
    'two consumers have the same name, which would share their inbox marks; give one another name',
    options.consumers.map((declared) => declared.name),
  );
  refuseRepeated(
    'two kinds of job have the same name',
    options.jobs.map((declared) => declared.kind),
  );
}

function refuseRepeated(problem: string, names: readonly string[]): void {
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new Error(`${repeated}: ${problem}`);
}
