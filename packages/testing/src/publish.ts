import { type CloudEvent, EVENT_EXCHANGE, type EventDeclaration, type EventInput } from '@muster/contracts';
import { connect } from 'amqplib';
import { v7 } from 'uuid';

/**
 * Publishes an event as the service that owns it would, on the broker of a service under test. Raises when nobody
 * listens to it.
 */
export async function publishEvent<E extends EventDeclaration>(
  amqpUrl: string,
  declaration: E,
  event: { org: string; subject: string; seq: number; data: EventInput<E>; id?: string },
): Promise<void> {
  await publishUnchecked(amqpUrl, declaration, { ...event, data: declaration.data.parse(event.data) });
}

/** Publishes an event whose data need not be what was declared, as a faulty service would. */
export async function publishUnchecked(
  amqpUrl: string,
  { type, source }: EventDeclaration,
  event: { org: string; subject: string; seq: number; data: unknown; id?: string },
): Promise<void> {
  const message: CloudEvent = {
    specversion: '1.0',
    id: event.id ?? v7(),
    source: `/${source}`,
    type,
    subject: event.subject,
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    orgid: event.org,
    seq: event.seq,
    data: event.data,
  };
  const connection = await connect(amqpUrl);
  try {
    const channel = await connection.createConfirmChannel();
    const returned: string[] = [];
    channel.on('return', () => returned.push(type));
    const body = Buffer.from(JSON.stringify(message));
    channel.publish(EVENT_EXCHANGE, type, body, { persistent: true, mandatory: true, messageId: message.id });
    await channel.waitForConfirms();
    if (returned.length > 0) throw new Error(`Nobody listens to ${type}`);
  } finally {
    await connection.close();
  }
}
