import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import type { Ground } from './ground.ts';

const { Binary, Decimal128, Long, ObjectId, UUID } = mongoose.mongo;

interface Thing {
  _id: string;
  n?: number | mongoose.mongo.Long | mongoose.mongo.Decimal128;
  body?: string;
  more?: string;
  long?: mongoose.mongo.Long;
  at?: Date;
  id?: mongoose.mongo.ObjectId;
}

/** Values come back as they went in, large ones too. */
export function values({ db }: Ground): void {
  const things = db.collection<Thing>('things');

  test('every type survives the round trip', async () => {
    const thing = {
      _id: 'all',
      id: new ObjectId(),
      uuid: new UUID(),
      at: new Date('2026-02-28T23:59:59.999Z'),
      early: new Date(-1),
      money: Decimal128.fromString('12345678901234567890.123456789'),
      long: Long.fromString('9007199254740993'),
      int: 42,
      double: 0.1,
      huge: 1e300,
      bytes: new Binary(randomBytes(1_000)),
      yes: true,
      nothing: null,
      text: 'ÄÖ € 🎲 "quoted" \u0000 end',
      pattern: /^a.*b$/i,
      nested: { list: [1, [2, { three: 3 }]], empty: {}, none: [] },
      'a key with spaces & ünïcode': 1,
    };
    await things.insertOne(thing as Thing);
    const back = await things.findOne({ _id: 'all' }, { promoteLongs: false, promoteValues: true });
    expect(back).toEqual({ ...thing, long: Long.fromString('9007199254740993') });
    expect(await things.countDocuments({ long: thing.long, at: thing.at, id: thing.id })).toBe(1);
  });

  test('field order is kept', async () => {
    await db
      .collection<{ _id: string }>('things')
      .insertOne({ _id: 'order', z: 1, a: 2, m: { y: 1, b: 2 } } as never);
    expect(JSON.stringify(await things.findOne({ _id: 'order' }))).toBe(
      '{"_id":"order","z":1,"a":2,"m":{"y":1,"b":2}}',
    );
  });

  test('numbers of different types compare by value', async () => {
    await things.insertMany([
      { _id: 'n1', n: 1 },
      { _id: 'n2', n: Long.fromNumber(2) },
      { _id: 'n3', n: 2.5 },
      { _id: 'n4', n: Decimal128.fromString('3') },
    ]);
    const found = await things
      .find({ n: { $gte: 2 } })
      .sort({ n: -1 })
      .toArray();
    expect(found.map(({ _id }) => _id)).toEqual(['n4', 'n3', 'n2']);
  });

  test('a document of ten megabytes can be written, changed and read', async () => {
    const body = randomBytes(5_000_000).toString('hex');
    await things.insertOne({ _id: 'big', body, n: 0 });
    await things.updateOne({ _id: 'big' }, { $inc: { n: 1 } });
    const big = await things.findOne({ _id: 'big' });
    expect(big?.n).toBe(1);
    expect(big?.body === body).toBe(true);
  });

  test('a batch of large documents comes in pages', async () => {
    const large = db.collection('large');
    const body = 'x'.repeat(1_000_000);
    await large.insertMany(Array.from({ length: 40 }, (_, n) => ({ n, body })));
    const sizes = (await large.find().sort({ n: 1 }).toArray()).map((document) => document.body.length);
    expect(sizes).toEqual(Array.from({ length: 40 }, () => 1_000_000));
  });

  test('a document that would grow too large is refused and stays', async () => {
    await things.insertOne({ _id: 'full', body: 'x'.repeat(15_000_000) });
    const grow = { $set: { more: 'y'.repeat(3_000_000) } };
    await expect(things.updateOne({ _id: 'full' }, grow)).rejects.toMatchObject({ code: expect.any(Number) });
    expect(await things.countDocuments({ _id: 'full', more: { $exists: false } })).toBe(1);
  });
}
