import type { Logger } from 'pino';
import type { Delivery } from '../bus/subscription.ts';
import type { Metrics } from '../metrics.ts';
import type { Gate } from '../process/gate.ts';
import { createOrdered } from '../process/ordered.ts';
import { pause } from '../process/pause.ts';
import type { Apply } from './apply.ts';
import type { Aside } from './aside.ts';
import type { Consumer } from './consumer.ts';
import { IMMEDIATE_TRIES, QUARANTINE_TRIES, SUSPECT_DELIVERIES } from './failure.rules.ts';
import { Abandoned, holding } from './holding.ts';
import { orderOf, type Received, receive } from './message.ts';
import type { ParkedMessages } from './parked.ts';

/** What is done with messages: from the service's queue, and from its dead-letter queue. Never rejects. */
export interface Deliveries {
  handle(delivery: Delivery): Promise<void>;
  quarantine(delivery: Delivery): Promise<void>;
}

const BETWEEN_TRIES_MS = 50;

/** Whatever happens to a message, it is acknowledged only when its effect, its retry or its parking is durable. */
export function createDeliveries(parts: {
  consumers: readonly Consumer[];
  apply: Apply;
  aside: Aside;
  parked: ParkedMessages;
  gate: Gate;
  metrics: Metrics;
  log: Logger;
}): Deliveries {
  const { aside, gate, parked, metrics, log } = parts;
  const inOrder = createOrdered();

  /** Every consumer has its turn: one that fails does not keep the event from the others. */
  async function settle(received: Received, gone: AbortSignal): Promise<void> {
    const { content } = received;
    if (!content.ok) return await aside.park(received, content.reason, gone);
    if (content.consumers.length === 0) metrics.consumed.inc({ type: content.event.type, result: 'ignored' });
    const failures: unknown[] = [];
    for (const consumer of content.consumers) {
      const failure = await tryConsumer(consumer, content.event, gone);
      if (failure !== undefined) failures.push(failure);
    }
    if (failures.length > 0) await aside.retryOrPark(received, failures[0], gone);
  }

  /** @returns what the last of the immediate tries raised, or undefined when one went well */
  async function tryConsumer(
    consumer: Consumer,
    event: Parameters<Apply>[1],
    gone: AbortSignal,
  ): Promise<unknown> {
    let failure: unknown;
    for (let tries = 1; tries <= IMMEDIATE_TRIES; tries += 1) {
      try {
        const result = await holding(gate, gone, () => parts.apply(consumer, event));
        metrics.consumed.inc({ type: event.type, result });
        return;
      } catch (error) {
        if (error instanceof Abandoned) throw error;
        failure = error ?? new Error('a consumer failed without saying why');
        log.warn({ err: error, event: event.id, consumer: consumer.name, tries }, 'a consumer failed');
        await pause(BETWEEN_TRIES_MS * tries, gone);
      }
    }
    return failure;
  }

  /** Runs the handling in its order, then acknowledges, unless the message is abandoned. */
  async function answer(
    delivery: Delivery,
    work: (received: Received, gone: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const received = receive(delivery.message, parts.consumers);
    try {
      await inOrder(orderOf(received), async () => {
        if (delivery.gone.aborted) throw new Abandoned();
        await work(received, delivery.gone);
      });
      delivery.ack();
    } catch (error) {
      if (error instanceof Abandoned) return;
      // Unanswered, it stays the broker's: lost is worse than late.
      log.error({ err: error, event: received.id }, 'a message could not be handled nor put aside');
    }
  }

  return {
    handle: (delivery) =>
      answer(delivery, async (received, gone) => {
        if (received.deliveries >= SUSPECT_DELIVERIES) await aside.quarantine(received, gone);
        else await settle(received, gone);
      }),
    quarantine: (delivery) =>
      answer(delivery, async (received, gone) => {
        const tries = await holding(gate, gone, () => parked.beginTry(received));
        if (tries > QUARANTINE_TRIES) {
          const times = `each of the last ${QUARANTINE_TRIES} times`;
          return await aside.park(received, `it ended the process, or was never answered, ${times}`, gone);
        }
        await settle(received, gone);
        await holding(gate, gone, () => parked.endTry(received));
      }),
  };
}
