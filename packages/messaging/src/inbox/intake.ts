import { createLink, type Link } from '../bus/link.ts';
import type { Publisher } from '../bus/publisher.ts';
import { createSubscription } from '../bus/subscription.ts';
import { deadQueue, declareTopology, eventQueue } from '../bus/topology.ts';
import type { Enqueue } from '../jobs/enqueue.ts';
import type { Subscriptions } from '../options.ts';
import type { Emit } from '../outbox/emit.ts';
import { createGate } from '../process/engine.ts';
import type { Check, Parts } from '../process/part.ts';
import { createApply } from './apply.ts';
import { createDeliveries } from './deliveries.ts';
import { createFailures } from './failures.ts';
import type { ParkedMessages } from './parked.ts';

/** Messages taken at a time; those of one order are handled one after the other, or together. */
const PREFETCH = 32;

/** The consuming side: the service's queue and its dead-letter queue, on a connection of their own. */
export interface Intake {
  start(): void;
  checkAlive(): Promise<void>;
  health(): Check;
  /** Takes no more messages and lets those under way finish. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

export function createIntake(
  parts: Parts,
  ports: {
    emit: Emit;
    enqueue: Enqueue;
    parked: ParkedMessages;
    publisher: Publisher;
    subscriptions: Subscriptions;
  },
): Intake {
  const { options, timings, log } = parts;
  const { service, connection, consumers } = options;
  const { retryDelaysMs } = timings;
  const gate = createGate({ connection, log });
  const apply = createApply({
    ...parts,
    ...ports,
    connection,
    requestContext: options.requestContext,
    skipInbox: options.faults?.skipInbox,
  });
  const failed = createFailures({
    ...parts,
    ...ports,
    service,
    gate,
    retryDelaysMs,
    redeclare: (reason) => link.rebuild(reason),
  });
  const deliveries = createDeliveries({
    ...parts,
    ...ports,
    consumers,
    apply,
    failed,
    gate,
    together: PREFETCH,
  });
  const of = { gate, link: (): Link => link };
  const events = createSubscription({
    ...of,
    queue: eventQueue(service),
    prefetch: PREFETCH,
    handle: deliveries.handle,
  });
  // One at a time, so that a message that ends the process takes no other along.
  const dead = createSubscription({
    ...of,
    queue: deadQueue(service),
    prefetch: 1,
    handle: deliveries.quarantine,
  });
  const link = createLink({
    url: options.amqpUrl,
    name: `${service} consume`,
    maxWaitMs: timings.reconnectMs,
    log,
    heartbeatMs: timings.heartbeatMs,
    async setup(model, down) {
      await declareTopology(model, ports.subscriptions, { service, retryDelaysMs });
      await events.setup(model, down);
      await dead.setup(model, down);
    },
  });

  return {
    start: link.start,
    async checkAlive() {
      await events.checkAlive(timings.watchdogMs);
      await dead.checkAlive(timings.watchdogMs);
    },
    health: () => (gate.closed() ? { status: 'degraded', detail: 'MongoDB is away' } : link.status()),
    async drain() {
      gate.stop();
      await Promise.all([events.drain(), dead.drain()]);
    },
    close: link.stop,
  };
}
