import type { Logger } from 'pino';
import type { Publisher } from '../bus/publisher.ts';
import type { Delivery } from '../bus/subscription.ts';
import { deadQueue, retryQueue } from '../bus/topology.ts';
import type { Metrics } from '../metrics.ts';
import { isEngineDown } from '../process/engine.ts';
import type { Gate } from '../process/gate.ts';
import { createOrdered } from '../process/ordered.ts';
import { pause } from '../process/pause.ts';
import type { Apply } from './apply.ts';
import type { Consumer } from './consumer.ts';
import { afterFailure, IMMEDIATE_TRIES, QUARANTINE_TRIES, SUSPECT_DELIVERIES } from './failure.rules.ts';
import { ATTEMPT_HEADER, orderOf, type Received, receive } from './message.ts';
import type { ParkedMessages } from './parked.ts';

/** What is done with messages: from the service's queue, and from its dead-letter queue. Never rejects. */
export interface Deliveries {
  handle(delivery: Delivery): Promise<void>;
  quarantine(delivery: Delivery): Promise<void>;
}

/** The message's connection is gone, or the process stops: the broker will deliver it again. */
class Abandoned extends Error {}

const BETWEEN_TRIES_MS = 50;
const BETWEEN_SENDS_MS = 500;
const BETWEEN_PARKINGS_MS = 5_000;

/** Whatever happens to a message, it is acknowledged only when its effect, its retry or its parking is durable. */
export function createDeliveries(parts: {
  service: string;
  consumers: readonly Consumer[];
  apply: Apply;
  parked: ParkedMessages;
  publisher: Publisher;
  /** Declares queues anew that were found missing. */
  redeclare(reason: string): void;
  gate: Gate;
  retryDelaysMs: readonly number[];
  metrics: Metrics;
  log: Logger;
}): Deliveries {
  const { service, publisher, gate, parked, metrics, log } = parts;
  const inOrder = createOrdered();

  /** Repeats work that needs MongoDB for as long as it is away. That burns no try. */
  async function holding<T>(gone: AbortSignal, work: () => Promise<T>): Promise<T> {
    for (;;) {
      if (gone.aborted) throw new Abandoned();
      try {
        return await work();
      } catch (error) {
        if (!isEngineDown(error)) throw error;
        gate.close();
        if (!(await gate.opened())) throw new Abandoned();
      }
    }
  }

  async function settle(received: Received, gone: AbortSignal): Promise<void> {
    const { content } = received;
    if (!content.ok) return await park(received, content.reason, gone);
    if (content.consumers.length === 0) metrics.consumed.inc({ type: content.event.type, result: 'ignored' });
    for (const consumer of content.consumers) {
      const error = await tryConsumer(consumer, received, gone);
      if (error !== undefined) return await retryOrPark(received, error, gone);
    }
  }

  /** @returns what the last of the immediate tries raised, or undefined when one went well */
  async function tryConsumer(consumer: Consumer, received: Received, gone: AbortSignal): Promise<unknown> {
    if (!received.content.ok) return;
    const { event } = received.content;
    let failure: unknown;
    for (let tries = 1; tries <= IMMEDIATE_TRIES; tries += 1) {
      try {
        const result = await holding(gone, () => parts.apply(consumer, event));
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

  async function retryOrPark(received: Received, error: unknown, gone: AbortSignal): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error);
    const next = afterFailure(received.attempt, parts.retryDelaysMs);
    if (next.kind === 'park') return await park(received, reason, gone);
    await sendOn(retryQueue(service, next.delayMs), received, { [ATTEMPT_HEADER]: next.attempt }, gone);
    metrics.consumed.inc({ type: typeOf(received), result: 'retried' });
  }

  async function park(received: Received, reason: string, gone: AbortSignal): Promise<void> {
    await parkSurely(received, reason, gone);
    metrics.consumed.inc({ type: typeOf(received), result: 'parked' });
    log.error({ event: received.id, type: typeOf(received), reason }, 'a message was parked');
  }

  async function parkSurely(received: Received, reason: string, gone: AbortSignal): Promise<void> {
    for (;;) {
      try {
        return await holding(gone, () => parked.park(received, reason));
      } catch (error) {
        if (error instanceof Abandoned) throw error;
        log.error({ err: error, event: received.id }, 'a message could not be parked; it is tried again');
        await pause(BETWEEN_PARKINGS_MS, gone);
      }
    }
  }

  /** Puts the message into another queue, for as long as it takes. */
  async function sendOn(
    queue: string,
    received: Received,
    headers: Record<string, unknown>,
    gone: AbortSignal,
  ): Promise<void> {
    const { id, body } = received;
    const message = { exchange: '', routingKey: queue, body: Buffer.from(body), messageId: id, headers };
    for (;;) {
      if (gone.aborted) throw new Abandoned();
      const outcome = await publisher
        .send({ ...message, type: typeOf(received) })
        .catch(() => 'failed' as const);
      if (outcome === 'confirmed') return;
      if (outcome === 'unrouted') parts.redeclare(`${queue} is missing`);
      await pause(BETWEEN_SENDS_MS, gone);
    }
  }

  /** Runs the handling in its order, then acknowledges, unless the message is abandoned. */
  async function answer(delivery: Delivery, received: Received, work: () => Promise<void>): Promise<void> {
    try {
      await inOrder(orderOf(received), async () => {
        if (delivery.gone.aborted) throw new Abandoned();
        await work();
      });
      delivery.ack();
    } catch (error) {
      if (error instanceof Abandoned) return;
      // Unanswered, it stays the broker's: lost is worse than late.
      log.error({ err: error, event: received.id }, 'a message could not be handled nor put aside');
    }
  }

  return {
    async handle(delivery) {
      const received = receive(delivery.message, parts.consumers);
      await answer(delivery, received, async () => {
        if (received.deliveries < SUSPECT_DELIVERIES) return await settle(received, delivery.gone);
        const headers = { [ATTEMPT_HEADER]: received.attempt };
        await sendOn(deadQueue(service), received, headers, delivery.gone);
      });
    },
    async quarantine(delivery) {
      const received = receive(delivery.message, parts.consumers);
      await answer(delivery, received, async () => {
        const tries = await holding(delivery.gone, () => parked.beginTry(received));
        if (tries > QUARANTINE_TRIES) {
          const reason = `it ended the process, or was never answered, each of the last ${QUARANTINE_TRIES} times`;
          return await park(received, reason, delivery.gone);
        }
        await settle(received, delivery.gone);
        await holding(delivery.gone, () => parked.endTry(received));
      });
    },
  };
}

const typeOf = ({ content }: Received) => (content.ok ? content.event.type : 'unknown');
