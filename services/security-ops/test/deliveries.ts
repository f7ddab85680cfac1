import {
  type Client,
  type EventBatchResult,
  type EventDeclaration,
  type EventInput,
  eventsApi,
  eventsReceived,
  type SecurityEvent,
  type SecurityEventInput,
} from '@muster/contracts';
import type { TestService } from '@muster/testing';
import { v7 } from 'uuid';

type Events = Client<typeof eventsApi>;
type Call = Parameters<Events['ingestEvents']>[0];

/** A native event; what is given replaces what is usual. */
export function nativeEvent(given: Partial<SecurityEventInput> = {}): SecurityEventInput {
  return {
    title: 'Beacon to a rare domain',
    severity: 'high',
    source: 'edr',
    techniques: ['T1071.001'],
    assets: [{ name: 'WS-042', kind: 'host' }],
    ...given,
  };
}

/** Delivers one event. */
export async function deliver(events: Events, body: SecurityEventInput): Promise<SecurityEvent> {
  const answer = await events.ingestEvents({ body: { ...body } });
  if ('accepted' in answer.body) throw new Error('Expected one event, got a batch');
  return answer.body;
}

/** Delivers bytes as they are. */
export async function deliverBytes(
  events: Events,
  bytes: string | Uint8Array<ArrayBuffer>,
  type = 'application/x-ndjson',
  more: { query?: NonNullable<Call>['query']; headers?: Record<string, string> } = {},
): Promise<EventBatchResult> {
  const headers = { 'content-type': type, ...more.headers };
  const call = { body: '', ...(more.query && { query: more.query }) };
  const answer = await events.ingestEvents(call, { rawBody: bytes, headers });
  if (!('accepted' in answer.body)) throw new Error('Expected a batch, got one event');
  return answer.body;
}

export const asLines = (items: readonly unknown[]) => items.map((item) => JSON.stringify(item)).join('\n');

export interface Organization {
  id: string;
  events: Events;
}

/** An organization of its own, so that its events are all that a test counts. */
export function organizationOf(service: TestService): Organization {
  const id = v7();
  return { id, events: service.client(eventsApi, service.tokens.sign({ org: id })) };
}

/** What was told of an organization, the first first: its batches, unless another kind of event is given. */
export async function told<E extends EventDeclaration = typeof eventsReceived>(
  service: TestService,
  org_id: string,
  { type }: E = eventsReceived as unknown as E,
): Promise<EventInput<E>[]> {
  const outbox = service.runtime.connection.collection('outbox');
  const rows = await outbox.find({ org_id, type }).sort({ _id: 1 }).toArray();
  return rows.map((row) => JSON.parse(String(row.body)).data);
}

/** Different events, each hundredth of them critical. */
export const numbered = (count: number, prefix = 'n') =>
  Array.from({ length: count }, (_, at) =>
    nativeEvent({
      external_id: `${prefix}-${at}`,
      title: `Beacon ${at}`,
      severity: at % 100 === 0 ? 'critical' : 'low',
    }),
  );
