import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type OutboxRow, outboxRow } from './emit.ts';
import { createLanes } from './lanes.ts';

const row = (subject: string, seq: number): OutboxRow =>
  outboxRow(
    {
      specversion: '1.0',
      source: '/x',
      type: 'x.y.z.v1',
      datacontenttype: 'application/json',
      time: '',
      id: `${subject}${seq}`,
      orgid: 'o',
      subject,
      seq,
      data: {},
    },
    'thing',
  );

test('one unconfirmed row per aggregate, never more than fit, each aggregate in order, whatever fails', async () => {
  const rowsOf = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 0, max: 9 })), {
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(rowsOf, fc.integer({ min: 1, max: 3 }), fc.nat(7), async (picked, width, failing) => {
      const pending = new Map(picked.map(([subject, seq]) => [`${subject}${seq}`, row(subject, seq)]));
      const unconfirmed = new Set<string>();
      const published = new Map<string, number[]>();
      let calls = 0;
      const lanes = createLanes({
        width,
        async publish(sent) {
          expect(unconfirmed.has(sent.aggregate)).toBe(false);
          unconfirmed.add(sent.aggregate);
          expect(unconfirmed.size).toBeLessThanOrEqual(width);
          await sleep(0);
          unconfirmed.delete(sent.aggregate);
          calls += 1;
          if (calls % 8 === failing) throw new Error('refused');
          published.set(sent.aggregate, [
            ...(published.get(sent.aggregate) ?? []),
            Number(sent._id.slice(1)),
          ]);
        },
        onConfirmed: () => undefined,
        onFailed: () => undefined,
      });
      for (let rounds = 0; pending.size > 0 && rounds < 500; rounds += 1) {
        const done = lanes.confirmed();
        for (const { _id } of done) pending.delete(_id);
        lanes.release(done);
        lanes.offer([...pending.values()].sort((a, b) => (a.position < b.position ? -1 : 1)));
        await sleep(0);
      }
      expect(pending.size).toBe(0);
      for (const order of published.values()) expect(order).toEqual([...order].sort((a, b) => a - b));
    }),
    { numRuns: 40 },
  );
});

test('a row confirmed but still marked pending is not published again', async () => {
  const published: string[] = [];
  const lanes = createLanes({
    width: 4,
    publish: async (sent) => void published.push(sent._id),
    onConfirmed: () => undefined,
    onFailed: () => undefined,
  });
  const rows = [row('a', 1)];
  lanes.offer(rows);
  await sleep(5);
  lanes.offer(rows);
  await sleep(5);
  expect(published).toEqual(['a1']);
  lanes.release(lanes.confirmed());
  lanes.offer([row('a', 2)]);
  await sleep(5);
  expect(published).toEqual(['a1', 'a2']);
});
