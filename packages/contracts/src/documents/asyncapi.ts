import { z } from 'zod';
import { cloudEvent, type EventDeclaration } from '../core/event.ts';

export const EVENT_EXCHANGE = 'domain.events';

/** The AsyncAPI 3.0 document of the given domain events, all from their declarations. */
export function asyncApiDocument(events: readonly EventDeclaration[], about: { version: string }) {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Muster domain events',
      version: about.version,
      description: `CloudEvents 1.0 (structured JSON) on the topic exchange \`${EVENT_EXCHANGE}\`, routing key = type.`,
    },
    defaultContentType: 'application/cloudevents+json',
    channels: Object.fromEntries(events.map((event) => [channelOf(event), channel(event)])),
    operations: Object.fromEntries(
      events.map((event) => [
        `publish.${channelOf(event)}`,
        {
          action: 'send',
          summary: event.summary,
          channel: { $ref: `#/channels/${channelOf(event)}` },
          messages: [{ $ref: `#/channels/${channelOf(event)}/messages/event` }],
        },
      ]),
    ),
    components: {
      messages: Object.fromEntries(events.map((event) => [channelOf(event), message(event)])),
    },
  };
}

/** Channel and component names may not hold dots in every reader's key pattern. */
const channelOf = (event: EventDeclaration) => event.type.replaceAll('.', '-');

function channel(event: EventDeclaration) {
  return {
    address: event.type,
    description: event.summary,
    messages: { event: { $ref: `#/components/messages/${channelOf(event)}` } },
    bindings: {
      amqp: { is: 'routingKey', exchange: { name: EVENT_EXCHANGE, type: 'topic', durable: true } },
    },
  };
}

function message(event: EventDeclaration) {
  const envelope = cloudEvent.extend({ type: z.literal(event.type), data: event.data });
  return {
    name: event.type,
    title: event.summary,
    contentType: 'application/cloudevents+json',
    payload: z.toJSONSchema(envelope, { io: 'output', unrepresentable: 'any' }),
    examples: [
      { name: event.type, payload: { type: event.type, source: `/${event.source}`, data: event.example } },
    ],
  };
}
