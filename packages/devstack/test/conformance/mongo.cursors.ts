import { expect, test } from '@jest/globals';
import type { Ground } from './ground.ts';

const COUNT = 10_000;

/** Reads: pages, order, projection, counting, limits of time. */
export function cursors({ db }: Ground): void {
  const events = db.collection<{ _id: number; [field: string]: unknown }>('events');
  const filled = async () => {
    if ((await events.estimatedDocumentCount()) > 0) return;
    await events.createIndex({ org_id: 1, at: -1 });
    const made = Array.from({ length: COUNT }, (_, n) => ({
      _id: n,
      org_id: `org-${n % 4}`,
      at: new Date(1_700_000_000_000 + n * 1_000),
      severity: n % 10,
      detail: { source: 'edr', score: n / 10 },
    }));
    await events.insertMany(made);
  };

  test('a cursor goes through ten thousand documents once each', async () => {
    await filled();
    const seen = new Set<number>();
    for await (const { _id } of events.find({}, { batchSize: 500 })) seen.add(_id);
    expect(seen.size).toBe(COUNT);
    const sorted: number[] = [];
    for await (const { _id } of events.find({}, { batchSize: 900 }).sort({ at: -1 })) sorted.push(_id);
    expect(sorted).toEqual(Array.from({ length: COUNT }, (_, n) => COUNT - 1 - n));
  });

  test('sort, skip, limit and projection agree', async () => {
    await filled();
    const page = await events
      .find({ org_id: 'org-1', severity: { $gte: 5 } })
      .sort({ at: -1 })
      .skip(2)
      .limit(3)
      .project({ 'detail.score': 1 })
      .toArray();
    expect(page).toEqual([9985, 9977, 9969].map((_id) => ({ _id, detail: { score: _id / 10 } })));
  });

  test('filters find what they describe', async () => {
    await filled();
    const count = (filter: object) => events.countDocuments(filter);
    expect(await count({ _id: { $in: [1, 2, 99_999] } })).toBe(2);
    expect(await count({ $or: [{ severity: 1 }, { severity: 2 }] })).toBe(2_000);
    expect(await count({ 'detail.source': /^ED/i, severity: { $nin: [0, 1] } })).toBe(8_000);
    expect(await count({ at: { $gte: new Date(1_700_009_990_000) } })).toBe(10);
    expect(await count({ missing: { $exists: false }, $expr: { $gt: ['$_id', 9_997] } })).toBe(2);
    expect(await events.estimatedDocumentCount()).toBe(COUNT);
    const severities = (await events.distinct('severity', { org_id: 'org-0' })) as number[];
    expect(severities.toSorted((a, b) => a - b)).toEqual([0, 2, 4, 6, 8]);
  });

  test('a killed cursor is gone', async () => {
    await filled();
    const cursor = events.find({}, { batchSize: 10 }).sort({ at: 1 });
    await cursor.next();
    const id = cursor.id;
    await cursor.close();
    await expect(db.command({ getMore: id, collection: 'events' })).rejects.toMatchObject({ code: 43 });
  });

  test('many cursors are open at the same time', async () => {
    await filled();
    const open = Array.from({ length: 40 }, (_, n) =>
      events.find({ severity: n % 10 }, { batchSize: 100 }).sort({ at: 1 }),
    );
    for (const cursor of open) await cursor.next();
    const rests = await Promise.all(open.map((cursor) => cursor.toArray()));
    for (const rest of rests) expect(rest).toHaveLength(999);
  });

  test('a query ends when its time is up', async () => {
    await filled();
    const pipeline = [{ $match: { $expr: { $gt: ['$n', '$$n'] } } }];
    const slow = [
      { $lookup: { from: 'events', let: { n: '$_id' }, pipeline, as: 'after' } },
      { $count: 'n' },
    ];
    await expect(events.aggregate(slow, { maxTimeMS: 200 }).toArray()).rejects.toMatchObject({ code: 50 });
    expect(await events.findOne({ _id: 1 }, { maxTimeMS: 5_000 })).toMatchObject({ _id: 1 });
  });

  test('a collection that does not exist is empty', async () => {
    expect(await db.collection('nowhere').find().toArray()).toEqual([]);
    expect(await db.collection('nowhere').countDocuments()).toBe(0);
    expect(await db.listCollections({ name: 'nowhere' }).toArray()).toEqual([]);
  });
}
