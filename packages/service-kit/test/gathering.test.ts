import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@muster/testing';
import { v7 } from 'uuid';
import { counting, gate, next, notes, seen } from './notes.fixture.ts';
import { inside, type Notes, startNotes } from './stand.fixture.ts';

let service: Notes;
beforeAll(async () => {
  service = await startNotes();
});
afterAll(async () => {
  await service?.stop();
});

/** Writes notes and orders the count for each, as reactions do. */
const write = (org: string, count = 1) =>
  inside(service, org).inTransaction(async (ctx) => {
    for (let written = 0; written < count; written += 1) {
      await notes(ctx).insert({ _id: v7(), text: 'one', version: 1 });
      await counting.order(ctx);
    }
  });
const runs = (org_id: string) => service.database.collection('jobs').countDocuments({ org_id });

test('what is ordered many times is done once', async () => {
  const org = v7();
  seen.counts = [];
  await write(org, 20);
  await eventually(async () => expect(seen.counts).toEqual([20]));
  expect(await runs(org)).toBe(1);
});

test('what is ordered while a run is at work is not left out', async () => {
  const org = v7();
  seen.counts = [];
  const waits = gate();
  next.waits = waits;
  await write(org);
  await waits.reached;
  await write(org);
  waits.open();
  await eventually(async () => expect(seen.counts.at(-1)).toBe(2));
  expect(await runs(org)).toBe(1);
});

test('what fails is tried again, and what is ordered afterwards is a run of its own', async () => {
  const org = v7();
  seen.counts = [];
  next.fails = new Error('The store was away');
  await write(org);
  await eventually(async () => expect(seen.counts).toEqual([1]));
  const row = () => service.database.collection('gatherings').findOne({ org_id: org });
  await eventually(async () => expect((await row())?.ordered_at).toBeNull());
  await write(org);
  await eventually(async () => expect(seen.counts).toEqual([1, 2]));
  expect(await runs(org)).toBe(2);
});
