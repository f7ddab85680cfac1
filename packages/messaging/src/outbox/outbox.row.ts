import type { CloudEvent } from '@muster/contracts';

/** An event in the outbox. */
export interface OutboxRow {
  /** The event's id. */
  _id: string;
  org_id: string;
  type: string;
  /** What is published in order, one at a time: organization, kind of aggregate, subject. */
  aggregate: string;
  /** Sorts the rows of one aggregate in the order of their commits: aggregate, version, id. */
  position: string;
  /** Holds `position` for as long as the event is not published; absent afterwards. */
  pending?: string;
  /** The event as published, CloudEvents JSON. */
  body: string;
  created_at: Date;
  published_at?: Date;
  /** Why the broker keeps refusing it; such a row holds back its own aggregate only. */
  stuck?: { reason: string; since: Date };
}

const SEQ_DIGITS = 16;

/**
 * The row of an event.
 * @param kind the aggregate's kind, as declared
 */
export function outboxRow(event: CloudEvent, kind: string): OutboxRow {
  const aggregate = `${event.orgid}|${kind}|${event.subject}`;
  const position = `${aggregate}|${String(event.seq).padStart(SEQ_DIGITS, '0')}|${event.id}`;
  return {
    _id: event.id,
    org_id: event.orgid,
    type: event.type,
    aggregate,
    position,
    pending: position,
    body: JSON.stringify(event),
    created_at: new Date(),
  };
}
