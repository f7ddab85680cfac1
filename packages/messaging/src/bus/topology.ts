import { EVENT_EXCHANGE } from '@muster/contracts';
import type { Channel, ChannelModel } from 'amqplib';
import type { Subscriptions } from '../options.ts';

/** A redelivered message beyond this goes to the dead-letter queue; set explicitly, since it means none before 4.0. */
const DELIVERY_LIMIT = 20;
/** The quarantine parks long before; 4.x would otherwise drop after 20. */
const NO_DELIVERY_LIMIT = 1_000_000;

export const eventQueue = (service: string) => `${service}.events`;
export const deadQueue = (service: string) => `${service}.events.dead`;
export const retryQueue = (service: string, delayMs: number) => `${service}.events.retry.${delayMs}`;

/** Nothing that was accepted is dropped: dead-lettering is confirmed, and a full queue refuses instead of forgetting. */
function durable(deadLetterTo?: string): Record<string, unknown> {
  return {
    'x-queue-type': 'quorum',
    ...(deadLetterTo && {
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': deadLetterTo,
      'x-dead-letter-strategy': 'at-least-once',
      'x-overflow': 'reject-publish',
    }),
  };
}

async function assertQueue(channel: Channel, name: string, args: Record<string, unknown>): Promise<void> {
  await channel.assertQueue(name, { durable: true, arguments: args });
}

/** The exchange, and each consuming service's queue with its bindings: what publishers and consumers both declare. */
async function declareEvents(channel: Channel, subscriptions: Subscriptions): Promise<void> {
  await channel.assertExchange(EVENT_EXCHANGE, 'topic', { durable: true });
  for (const [service, types] of Object.entries(subscriptions)) {
    if (types.length === 0) continue;
    await assertQueue(channel, eventQueue(service), {
      ...durable(deadQueue(service)),
      'x-delivery-limit': DELIVERY_LIMIT,
    });
    for (const type of types) await channel.bindQueue(eventQueue(service), EVENT_EXCHANGE, type);
  }
}

/** What only the consuming service uses: its waiting rooms, one per delay, and its dead-letter queue. */
async function declareFailures(
  channel: Channel,
  service: string,
  delaysMs: readonly number[],
): Promise<void> {
  await assertQueue(channel, deadQueue(service), { ...durable(), 'x-delivery-limit': NO_DELIVERY_LIMIT });
  for (const delay of delaysMs) {
    await assertQueue(channel, retryQueue(service, delay), {
      ...durable(eventQueue(service)),
      'x-message-ttl': delay,
    });
  }
}

/**
 * Declares the topology; what exists stays.
 * @param consumes the service whose queues for failures are wanted too
 * @throws Error when a queue exists with other arguments: changed arguments need a new name
 */
export async function declareTopology(
  model: ChannelModel,
  subscriptions: Subscriptions,
  consumes?: { service: string; retryDelaysMs: readonly number[] },
): Promise<void> {
  const channel = await model.createChannel();
  // The reason reaches the caller through the rejected declaration.
  channel.on('error', () => undefined);
  await declareEvents(channel, subscriptions);
  if (consumes) await declareFailures(channel, consumes.service, consumes.retryDelaysMs);
  await channel.close();
}
