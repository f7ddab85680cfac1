import { createHash } from 'node:crypto';
import { type CloudEvent, cloudEvent } from '@muster/contracts';
import type { ConsumeMessage } from 'amqplib';
import type { Consumer } from './consumer.ts';

/** A message as it was understood. */
export interface Received {
  /** The event's id, or what identifies a message that is none. */
  id: string;
  body: string;
  /** How often it went through a retry queue. */
  attempt: number;
  /** How often the broker delivered it before, without an answer. */
  deliveries: number;
  /** The event with its data parsed, or why there is none. */
  content:
    | { ok: true; event: CloudEvent; consumers: readonly Consumer[] }
    /** With the event where only its data could not be read. */
    | { ok: false; reason: string; event?: CloudEvent };
}

export const ATTEMPT_HEADER = 'x-attempt';

/** Reads a message. What cannot be read now cannot be read later either, so it is not worth another try. */
export function receive(message: ConsumeMessage, consumers: readonly Consumer[]): Received {
  const body = message.content.toString('utf8');
  const headers = message.properties.headers ?? {};
  const content = understand(body, consumers);
  const named = content.event?.id ?? message.properties.messageId;
  return {
    id: typeof named === 'string' && named !== '' ? named : createHash('sha256').update(body).digest('hex'),
    body,
    attempt: count(headers[ATTEMPT_HEADER]),
    deliveries: count(headers['x-delivery-count']),
    content,
  };
}

function understand(body: string, consumers: readonly Consumer[]): Received['content'] {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return { ok: false, reason: 'the message is not JSON' };
  }
  const envelope = cloudEvent.safeParse(json);
  if (!envelope.success) return { ok: false, reason: 'the message is not a CloudEvent of ours' };
  const event = envelope.data;
  const own = consumers.filter(({ declaration }) => declaration.type === event.type);
  const declaration = own[0]?.declaration;
  if (!declaration) return { ok: true, event, consumers: [] };
  const data = declaration.data.safeParse(event.data);
  if (data.success) return { ok: true, event: { ...event, data: data.data }, consumers: own };
  const issues = data.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  const reason = `the data does not fit ${event.type}: ${issues.join('; ').slice(0, 500)}`;
  return { ok: false, reason, event };
}

const count = (header: unknown) => (typeof header === 'number' && header > 0 ? header : 0);

/** What is never handled side by side with this message. */
export function orderOf({ id, content }: Received): string {
  if (!content.ok) return id;
  const { event, consumers } = content;
  return consumers.some(({ order }) => order === 'organization')
    ? event.orgid
    : `${event.orgid}|${event.source}|${event.subject}`;
}

/** The event's type, for metrics and logs. */
export const typeOf = ({ content }: Received) => content.event?.type ?? 'unknown';
