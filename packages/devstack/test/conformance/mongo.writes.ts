import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type mongoose from 'mongoose';
import type { Ground } from './ground.ts';

/** Longer than a server's disk stalls in earnest, shorter than its clients wait. */
const HELD_MS = 5_000;

interface Keyed {
  _id: string;
  n?: number;
  m?: number;
  owner?: number | null;
  beat?: number;
  list?: number[];
  injects?: { id: number; done: boolean; note?: string }[];
  tags?: string[];
  log?: number[];
  old?: number;
  text?: string;
  first?: number;
  last?: number;
}

/** Single writes: their operators, their races, and errors within a batch. */
export function writes({ client, db }: Ground): void {
  const keyed = (name: string) => db.collection<Keyed>(name);

  test('an ordered batch stops at its first error, an unordered one does the rest', async () => {
    const ordered = keyed('ordered');
    const batch = () => ['a', 'b', 'a', 'c'].map((_id) => ({ _id }));
    await expect(ordered.insertMany(batch())).rejects.toMatchObject({
      code: 11000,
      insertedCount: 2,
      writeErrors: [expect.objectContaining({ index: 2, code: 11000 })],
    });
    expect(await ordered.countDocuments()).toBe(2);
    const unordered = keyed('unordered');
    await expect(unordered.insertMany(batch(), { ordered: false })).rejects.toMatchObject({
      insertedCount: 3,
    });
    expect(await unordered.distinct('_id')).toEqual(['a', 'b', 'c']);
  });

  test('a mixed batch reports each kind', async () => {
    const mixed = keyed('mixed');
    await mixed.insertMany(['a', 'b', 'c'].map((_id) => ({ _id, n: 0 })));
    const operations: mongoose.mongo.AnyBulkWriteOperation<Keyed>[] = [
      { updateOne: { filter: { _id: 'a' }, update: { $inc: { n: 1 } } } },
      { updateMany: { filter: {}, update: { $inc: { n: 1 } } } },
      { updateOne: { filter: { _id: 'd' }, update: { $set: { n: 5 } }, upsert: true } },
      { replaceOne: { filter: { _id: 'b' }, replacement: { m: 1 } } },
      { deleteOne: { filter: { _id: 'c' } } },
      { insertOne: { document: { _id: 'e' } } },
    ];
    expect(await mixed.bulkWrite(operations)).toMatchObject({
      insertedCount: 1,
      matchedCount: 5,
      modifiedCount: 5,
      upsertedCount: 1,
      upsertedIds: { 2: 'd' },
      deletedCount: 1,
    });
    const left = [{ _id: 'a', n: 2 }, { _id: 'b', m: 1 }, { _id: 'd', n: 5 }, { _id: 'e' }];
    expect(await mixed.find().sort({ _id: 1 }).toArray()).toEqual(left);
  });

  test('an upsert race makes one document and loses no increment', async () => {
    const counters = db.collection('counters');
    await counters.createIndex({ key: 1 }, { unique: true });
    const bump = () => counters.updateOne({ key: 'k' }, { $inc: { n: 1 } }, { upsert: true });
    await Promise.all(Array.from({ length: 30 }, bump));
    expect(await counters.find().project({ _id: 0 }).toArray()).toEqual([{ key: 'k', n: 30 }]);
    const byId = keyed('counters_by_id');
    const count = () => byId.findOneAndUpdate({ _id: 'k' }, { $inc: { n: 1 } }, { upsert: true });
    await Promise.all(Array.from({ length: 30 }, count));
    expect(await byId.findOne()).toEqual({ _id: 'k', n: 30 });
  });

  test('upserts of a key that a transaction holds wait for it, and none is lost', async () => {
    const counters = db.collection('held_counters');
    await counters.createIndex({ key: 1 }, { unique: true });
    const bump = (options = {}) =>
      counters.updateOne({ key: 'k' }, { $inc: { n: 1 } }, { upsert: true, ...options });
    const session = client.startSession();
    session.startTransaction();
    await bump({ session });
    const waiting = Promise.all(Array.from({ length: 15 }, () => bump()));
    await sleep(HELD_MS);
    await session.commitTransaction();
    await session.endSession();
    await waiting;
    expect(await counters.find().project({ _id: 0 }).toArray()).toEqual([{ key: 'k', n: 16 }]);
  });

  test('compare-and-set has one winner', async () => {
    const leases = keyed('leases');
    await leases.insertOne({ _id: 'lease', owner: null, beat: 0 });
    const take = (owner: number) =>
      leases.findOneAndUpdate(
        { _id: 'lease', owner: null },
        { $set: { owner }, $inc: { beat: 1 } },
        { returnDocument: 'after' },
      );
    const taken = await Promise.all(Array.from({ length: 20 }, (_, owner) => take(owner)));
    const winners = taken.filter((document) => document !== null);
    expect(winners).toHaveLength(1);
    expect(await leases.findOne()).toEqual(winners[0]);
    expect(await leases.findOne()).toMatchObject({ beat: 1 });
  });

  test('concurrent increments and pushes are all kept', async () => {
    const hot = keyed('hot');
    await hot.insertOne({ _id: 'hot', n: 0, list: [] });
    const change = (n: number) => hot.updateOne({ _id: 'hot' }, { $inc: { n: 1 }, $push: { list: n } });
    await Promise.all(Array.from({ length: 50 }, (_, n) => change(n)));
    const after = await hot.findOne();
    expect(after).toMatchObject({ n: 50 });
    expect(after?.list?.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => n));
  });

  test('update operators do what they say', async () => {
    const docs = keyed('operators');
    const injects = [
      { id: 1, done: false },
      { id: 2, done: false },
      { id: 3, done: true },
    ];
    await docs.insertOne({ _id: 'a', injects, tags: ['x'], log: [1, 2, 3], old: 1 });
    await docs.updateOne(
      { _id: 'a' },
      { $set: { 'injects.$[i].done': true } },
      { arrayFilters: [{ 'i.id': 2 }] },
    );
    await docs.updateOne({ _id: 'a', 'injects.id': 1 }, { $set: { 'injects.$.note': 'n' } });
    await docs.updateOne({ _id: 'a' }, {
      $addToSet: { tags: { $each: ['x', 'y'] } },
      $push: { log: { $each: [4, 5], $slice: -3 } },
      $unset: { old: '' },
      $min: { low: 3 },
      $max: { high: 7 },
      $currentDate: { seen: true },
    } as never);
    await docs.updateOne({ _id: 'a' }, { $pull: { injects: { id: 3 } } } as never);
    expect(await docs.findOne()).toEqual({
      _id: 'a',
      injects: [
        { id: 1, done: false, note: 'n' },
        { id: 2, done: true },
      ],
      tags: ['x', 'y'],
      log: [3, 4, 5],
      low: 3,
      high: 7,
      seen: expect.any(Date),
    });
    await docs.updateOne({ _id: 'a' }, [{ $set: { total: { $sum: '$log' } } }]);
    expect(await docs.findOne()).toMatchObject({ total: 12 });
  });

  test('what an upsert sets only on insert stays as it was', async () => {
    const seen = keyed('seen');
    const see = (at: number) =>
      seen.updateOne({ _id: 'a' }, { $set: { last: at }, $setOnInsert: { first: at } }, { upsert: true });
    expect(await see(1)).toMatchObject({ upsertedCount: 1, upsertedId: 'a', matchedCount: 0 });
    expect(await see(2)).toMatchObject({ upsertedCount: 0, matchedCount: 1, modifiedCount: 1 });
    expect(await seen.findOne()).toEqual({ _id: 'a', first: 1, last: 2 });
  });

  test('faulty writes are refused with the codes that drivers know', async () => {
    const refused = keyed('refused');
    await refused.insertOne({ _id: 'a', text: 'x' });
    const update = (change: object) => refused.updateOne({ _id: 'a' }, change as never);
    await expect(update({ $set: { _id: 'b' } })).rejects.toMatchObject({ code: 66 });
    await expect(update({ $inc: { text: 1 } })).rejects.toMatchObject({ code: 14 });
    await expect(update({ $nothing: { text: 1 } })).rejects.toMatchObject({ code: 9 });
    await expect(update({ $set: { text: 1 }, $inc: { text: 1 } })).rejects.toMatchObject({ code: 40 });
    await expect(db.command({ nothing: 1 })).rejects.toMatchObject({ code: 59 });
    expect(await refused.findOne()).toEqual({ _id: 'a', text: 'x' });
  });
}
