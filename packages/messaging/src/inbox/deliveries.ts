import type { CloudEvent } from '@muster/contracts';
import type { Logger } from 'pino';
import type { Delivery } from '../bus/subscription.ts';
import type { Metrics } from '../metrics.ts';
import type { Gate } from '../process/engine.ts';
import { holding, LinkGone } from '../process/engine.ts';
import { pause } from '../process/loop.ts';
import type { Apply, Batch } from './apply.ts';
import type { Consumer } from './consumer.ts';
import { IMMEDIATE_TRIES, QUARANTINE_TRIES, SUSPECT_DELIVERIES } from './failure.rules.ts';
import type { Failures } from './failures.ts';
import { orderOf, type Received, receive } from './message.ts';
import { createOrdered } from './ordered.ts';
import type { ParkedMessages } from './parked.ts';

/** What is done with messages: from the service's queue, and from its dead-letter queue. Never rejects. */
export interface Deliveries {
  handle(delivery: Delivery): Promise<void>;
  quarantine(delivery: Delivery): Promise<void>;
}

const BETWEEN_TRIES_MS = 50;

/** A message under way. */
interface Message {
  received: Received;
  delivery: Delivery;
  work(received: Received, gone: AbortSignal): Promise<void>;
}

/** Whatever happens to a message, it is acknowledged only when its effect, its retry or its parking is durable. */
export function createDeliveries(parts: {
  consumers: readonly Consumer[];
  apply: Apply;
  failed: Failures;
  parked: ParkedMessages;
  gate: Gate;
  metrics: Metrics;
  log: Logger;
  /** How many messages of one order are handled in one transaction. */
  together: number;
}): Deliveries {
  const { failed, gate, parked, metrics, log } = parts;
  const inOrder = createOrdered<Message>(parts.together, async (messages) => {
    if (await handledTogether(messages)) return;
    for (const message of messages) await handleAlone(message);
  });

  /** Every consumer has its turn: one that fails does not keep the event from the others. */
  async function settle(received: Received, gone: AbortSignal): Promise<void> {
    const { content } = received;
    if (!content.ok) return await failed.park(received, content.reason, gone);
    if (content.consumers.length === 0) metrics.consumed.inc({ type: content.event.type, result: 'ignored' });
    const failures: unknown[] = [];
    for (const consumer of content.consumers) {
      const failure = await tryConsumer(consumer, content.event, gone);
      if (failure !== undefined) failures.push(failure);
    }
    if (failures.length > 0) await failed.retryOrPark(received, failures[0], gone);
  }

  /** @returns what the last of the immediate tries raised, or undefined when one went well */
  async function tryConsumer(consumer: Consumer, event: CloudEvent, gone: AbortSignal): Promise<unknown> {
    let failure: unknown;
    for (let tries = 1; tries <= IMMEDIATE_TRIES; tries += 1) {
      try {
        const result = await holding(gate, gone, () => parts.apply([{ consumer, events: [event] }]));
        metrics.consumed.inc({ type: event.type, result });
        return;
      } catch (error) {
        if (error instanceof LinkGone) throw error;
        failure = error ?? new Error('a consumer failed without saying why');
        log.warn({ err: error, event: event.id, consumer: consumer.name, tries }, 'a consumer failed');
        await pause(BETWEEN_TRIES_MS * tries, gone);
      }
    }
    return failure;
  }

  /**
   * Messages that came for the first time, in one transaction. When it fails, for whatever reason, each is handled
   * alone: one that is poisoned, or was handled before, harms no other.
   */
  async function handledTogether(messages: readonly Message[]): Promise<boolean> {
    const [first] = messages;
    if (!first || messages.length === 1 || !messages.every(isFresh)) return false;
    const { gone } = first.delivery;
    if (messages.some(({ delivery }) => delivery.gone !== gone)) return false;
    const reacting = reactionsTo(messages);
    try {
      const result = await holding(gate, gone, async () => await parts.apply(reacting));
      if (result === 'duplicate') return false;
    } catch (error) {
      if (!(error instanceof LinkGone))
        log.debug({ err: error, messages: messages.length }, 'messages are handled one by one');
      return error instanceof LinkGone;
    }
    for (const { consumer, events } of reacting)
      metrics.consumed.inc({ type: consumer.declaration.type, result: 'applied' }, events.length);
    for (const { delivery } of messages) delivery.ack();
    return true;
  }

  const isFresh = ({ received: { deliveries, attempt, content }, work }: Message) =>
    work === fromQueue && deliveries === 0 && attempt === 0 && content.ok && content.consumers.length > 0;

  /** Acknowledges when all is done, unless the message is abandoned. */
  async function handleAlone({ received, delivery, work }: Message): Promise<void> {
    try {
      if (delivery.gone.aborted) throw new LinkGone();
      await work(received, delivery.gone);
      delivery.ack();
    } catch (error) {
      if (error instanceof LinkGone) return;
      // Unanswered, it stays the broker's: lost is worse than late.
      log.error({ err: error, event: received.id }, 'a message could not be handled nor put aside');
    }
  }

  async function fromQueue(received: Received, gone: AbortSignal): Promise<void> {
    if (received.deliveries >= SUSPECT_DELIVERIES) await failed.quarantine(received, gone);
    else await settle(received, gone);
  }

  async function fromDeadQueue(received: Received, gone: AbortSignal): Promise<void> {
    const tries = await holding(gate, gone, () => parked.beginTry(received));
    if (tries > QUARANTINE_TRIES) {
      const times = `each of the last ${QUARANTINE_TRIES} times`;
      return await failed.park(received, `it ended the process, or was never answered, ${times}`, gone);
    }
    await settle(received, gone);
    await holding(gate, gone, () => parked.endTry(received));
  }

  function take(delivery: Delivery, work: Message['work']): Promise<void> {
    const received = receive(delivery.message, parts.consumers);
    return inOrder(orderOf(received), { received, delivery, work });
  }

  return {
    handle: (delivery) => take(delivery, fromQueue),
    quarantine: (delivery) => take(delivery, fromDeadQueue),
  };
}

/** Each consumer with the events that follow one another, so that the order of all stays. */
function reactionsTo(messages: readonly Message[]): Batch[] {
  const reacting: Batch[] = [];
  let run: CloudEvent[] = [];
  let consumers: readonly Consumer[] = [];
  const end = () => reacting.push(...consumers.map((consumer) => ({ consumer, events: run })));
  for (const { received } of messages) {
    if (!received.content.ok) continue;
    const { event, consumers: own } = received.content;
    if (run[0]?.type !== event.type) {
      end();
      [run, consumers] = [[], own];
    }
    run.push(event);
  }
  end();
  return reacting;
}
