import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type mongoose from 'mongoose';
import type { Ground } from './ground.ts';

const DUPLICATE = { code: 11000 };

/** Indexes protect from the moment that their creation was answered, and say what they refused. */
export function indexes({ db }: Ground): void {
  test('a unique index protects at once and names its key', async () => {
    const users = db.collection('users');
    expect(await users.createIndex({ org_id: 1, email: 1 }, { unique: true })).toBe('org_id_1_email_1');
    await users.insertOne({ org_id: 'a', email: 'x@example.org' });
    await users.insertOne({ org_id: 'b', email: 'x@example.org' });
    await expect(users.insertOne({ org_id: 'a', email: 'x@example.org' })).rejects.toMatchObject({
      ...DUPLICATE,
      keyPattern: { org_id: 1, email: 1 },
      keyValue: { org_id: 'a', email: 'x@example.org' },
      message: expect.stringContaining('E11000'),
    });
    await users.insertOne({ org_id: 'c', email: 'y@example.org' });
    const taken = { $set: { org_id: 'a', email: 'x@example.org' } };
    await expect(users.updateOne({ org_id: 'c' }, taken)).rejects.toMatchObject(DUPLICATE);
    await expect(users.findOneAndUpdate({ org_id: 'c' }, taken)).rejects.toMatchObject({
      ...DUPLICATE,
      keyPattern: { org_id: 1, email: 1 },
    });
    expect(await users.countDocuments()).toBe(3);
  });

  test('of many inserts of one key at the same time exactly one succeeds', async () => {
    const keys = db.collection('keys');
    await keys.createIndex({ key: 1 }, { unique: true });
    const inserts = Array.from({ length: 40 }, (_, n) => keys.insertOne({ key: 'same', n }));
    const settled = await Promise.allSettled(inserts);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of settled) if (one.status === 'rejected') expect(one.reason).toMatchObject(DUPLICATE);
    expect(await keys.countDocuments()).toBe(1);
  });

  test('a unique index cannot be made over duplicates', async () => {
    const twins = db.collection('twins');
    await twins.insertMany([{ key: 1 }, { key: 1 }]);
    await expect(twins.createIndex({ key: 1 }, { unique: true })).rejects.toMatchObject(DUPLICATE);
    expect((await twins.indexes()).map(({ name }) => name)).toEqual(['_id_']);
  });

  test('a partial unique index counts only what its filter matches', async () => {
    const jobs = db.collection('jobs');
    const partialFilterExpression = { state: 'open' };
    await jobs.createIndex({ key: 1 }, { unique: true, partialFilterExpression });
    await jobs.insertMany([
      { key: 1, state: 'done' },
      { key: 1, state: 'done' },
      { key: 1, state: 'open' },
    ]);
    await expect(jobs.insertOne({ key: 1, state: 'open' })).rejects.toMatchObject(DUPLICATE);
    await jobs.updateOne({ key: 1, state: 'open' }, { $set: { state: 'done' } });
    await jobs.insertOne({ key: 1, state: 'open' });
    await expect(jobs.updateMany({ state: 'done' }, { $set: { state: 'open' } })).rejects.toMatchObject(
      DUPLICATE,
    );
  });

  test('a sparse unique index lets documents without the field be', async () => {
    const rows = db.collection('rows');
    await rows.createIndex({ pending: 1 }, { unique: true, sparse: true });
    await rows.insertMany([{ n: 1 }, { n: 2 }, { pending: 1 }]);
    await expect(rows.insertOne({ pending: 1 })).rejects.toMatchObject(DUPLICATE);
    await rows.updateOne({ pending: 1 }, { $unset: { pending: '' } });
    await rows.insertOne({ pending: 1 });
  });

  test('indexes are listed as they were asked for, made again without effect, and dropped', async () => {
    const items = db.collection('items');
    await items.createIndexes([
      { key: { org_id: 1, at: -1 }, name: 'by_time' },
      { key: { org_id: 1, tags: 1 } },
      { key: { expires_at: 1 }, expireAfterSeconds: 0 },
    ]);
    await items.createIndex({ org_id: 1, at: -1 }, { name: 'by_time' });
    const listed = await items.indexes();
    expect(listed).toContainEqual(expect.objectContaining({ name: 'by_time', key: { org_id: 1, at: -1 } }));
    expect(listed).toContainEqual(expect.objectContaining({ name: 'expires_at_1', expireAfterSeconds: 0 }));
    await expect(items.createIndex({ org_id: 1 }, { name: 'by_time' })).rejects.toMatchObject({ code: 86 });
    await items.dropIndex('by_time');
    await expect(items.dropIndex('by_time')).rejects.toMatchObject({ code: 27 });
    expect((await items.indexes()).map(({ name }) => name)).toEqual([
      '_id_',
      'org_id_1_tags_1',
      'expires_at_1',
    ]);
  });

  test('many collections can get their indexes at the same time, from empty and from full', async () => {
    const names = Array.from({ length: 8 }, (_, n) => `boot_${n}`);
    await db.collection('boot_0').insertMany(Array.from({ length: 2_000 }, (_, n) => ({ n, org_id: n % 7 })));
    const wanted: mongoose.mongo.IndexDescription[] = [
      { key: { org_id: 1, n: 1 }, unique: true },
      { key: { org_id: 1, at: -1 } },
      { key: { state: 1 }, sparse: true },
    ];
    await Promise.all([...names, ...names].map((name) => db.collection(name).createIndexes(wanted)));
    for (const name of names) expect(await db.collection(name).indexes()).toHaveLength(4);
  });

  test('expired documents go away by themselves', async () => {
    const marks = db.collection('marks');
    await marks.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
    const hourAgo = new Date(Date.now() - 3_600_000);
    await marks.insertMany([
      { _id: 'old' as never, at: hourAgo },
      { _id: 'new' as never, at: new Date() },
    ]);
    const until = Date.now() + 100_000;
    while ((await marks.countDocuments()) > 1 && Date.now() < until) await sleep(500);
    expect(await marks.distinct('_id')).toEqual(['new']);
  }, 120_000);
}
