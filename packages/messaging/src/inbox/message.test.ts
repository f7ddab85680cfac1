import { expect, test } from '@jest/globals';
import { defineEvent } from '@muster/contracts';
import type { ConsumeMessage } from 'amqplib';
import fc from 'fast-check';
import { z } from 'zod';
import { consumer } from '../../test/declared.ts';
import { newEvent, toCloudEvent } from '../events/event.ts';
import { orderOf, receive } from './message.ts';

const counted = defineEvent({
  type: 'exercises.thing.counted.v1',
  source: 'exercises',
  summary: 'A thing was counted.',
  aggregate: 'thing',
  data: z.object({ n: z.int() }),
  example: { n: 1 },
});
const sent = toCloudEvent(newEvent(counted, { org: 'o1', subject: 's1', seq: 3, data: { n: 1 } }));
const idle = consumer(counted, async () => undefined);

function message(body: string, headers = {}, messageId?: string): ConsumeMessage {
  const properties = { headers, messageId } as ConsumeMessage['properties'];
  return { content: Buffer.from(body), properties, fields: {} as ConsumeMessage['fields'] };
}

test('an event is read with its consumers, attempt and deliveries', () => {
  const received = receive(message(JSON.stringify(sent), { 'x-attempt': 2, 'x-delivery-count': 4 }), [idle]);
  expect(received).toMatchObject({ id: sent.id, attempt: 2, deliveries: 4 });
  expect(received.content).toEqual({ ok: true, event: sent, consumers: [idle] });
});

test('what is kept in order: the aggregate, or the organization where a consumer asks for it', () => {
  const whole = consumer(counted, async () => undefined, { name: 'whole', order: 'organization' });
  expect(orderOf(receive(message(JSON.stringify(sent)), [idle]))).toBe('o1|/exercises|s1');
  expect(orderOf(receive(message(JSON.stringify(sent)), [idle, whole]))).toBe('o1');
});

test('data that does not fit says which field', () => {
  const { content } = receive(message(JSON.stringify({ ...sent, data: { n: 'x' } })), [idle]);
  expect(content).toMatchObject({ ok: false, reason: expect.stringContaining('n: ') });
});

test('whatever comes, it is understood or has a reason, and always the same id', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.json()),
      fc.option(fc.string(), { nil: undefined }),
      (body, messageId) => {
        const [once, again] = [
          receive(message(body, {}, messageId), []),
          receive(message(body, {}, messageId), []),
        ];
        expect(once.id).toBe(again.id);
        expect(once.id).not.toBe('');
        expect(once.content.ok || once.content.reason.length > 0).toBe(true);
      },
    ),
  );
});
