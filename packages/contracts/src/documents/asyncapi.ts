import { z } from 'zod';
import { type CloudEvent, cloudEvent, type EventDeclaration } from '../core/event.ts';
import { EXAMPLE_ID, EXAMPLE_TIME } from '../core/primitives.ts';

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
    // An empty registry of names: a named part would be a reference that leads nowhere from inside a message.
    payload: z.toJSONSchema(envelope, { target: 'draft-7', metadata: z.registry(), unrepresentable: 'any' }),
    examples: [{ name: event.type, payload: exampleOf(event) }],
  };
}

function exampleOf(event: EventDeclaration): CloudEvent {
  return {
    specversion: '1.0',
    id: EXAMPLE_ID,
    source: `/${event.source}`,
    type: event.type,
    subject: EXAMPLE_ID,
    time: EXAMPLE_TIME,
    datacontenttype: 'application/json',
    orgid: EXAMPLE_ID,
    seq: 1,
    data: event.example,
  };
}
