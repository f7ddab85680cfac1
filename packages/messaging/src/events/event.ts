import type { CloudEvent, EventDeclaration, EventInput } from '@muster/contracts';
import { v7 } from 'uuid';

/** An event that is to be emitted: what the caller knows of it. */
export interface NewEvent {
  readonly id: string;
  readonly time: string;
  readonly declaration: EventDeclaration;
  readonly org: string;
  readonly subject: string;
  readonly seq: number;
  readonly data: unknown;
}

/**
 * Describes an event to emit. Make it outside of the transaction's callback, which the driver may repeat: then every
 * repetition carries the same id.
 * @param about.subject id of the aggregate that the declaration names
 * @param about.seq the aggregate's version in this commit; events of one commit share it
 * @param about.id a UUIDv7; made here by default
 */
export function newEvent<E extends EventDeclaration>(
  declaration: E,
  about: { org: string; subject: string; seq: number; data: EventInput<E>; id?: string },
): NewEvent {
  return {
    id: about.id ?? v7(),
    time: new Date().toISOString(),
    declaration,
    org: about.org,
    subject: about.subject,
    seq: about.seq,
    data: about.data,
  };
}

/**
 * The event as it travels: CloudEvents 1.0, its data checked against the declaration.
 * @throws Error that names the event and the field; a programming error
 */
export function toCloudEvent(
  event: NewEvent,
  trace: { traceparent?: string; requestId?: string } = {},
): CloudEvent {
  const { declaration } = event;
  const data = declaration.data.safeParse(event.data);
  if (!data.success) {
    const issues = data.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`${declaration.type} does not fit its declaration: ${issues.join('; ')}`);
  }
  if (!Number.isInteger(event.seq) || event.seq < 0)
    throw new Error(`${declaration.type} needs the aggregate's version as seq, not ${event.seq}`);
  return {
    specversion: '1.0',
    id: event.id,
    source: `/${declaration.source}`,
    type: declaration.type,
    subject: event.subject,
    time: event.time,
    datacontenttype: 'application/json',
    orgid: event.org,
    seq: event.seq,
    ...(trace.traceparent && { traceparent: trace.traceparent }),
    ...(trace.requestId && { requestid: trace.requestId }),
    data: data.data,
  };
}
