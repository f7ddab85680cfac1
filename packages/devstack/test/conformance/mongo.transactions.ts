import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type mongoose from 'mongoose';
import type { Ground } from './ground.ts';

interface Account {
  _id: string;
  n: number;
}

/** Transactions are all or nothing, see one state, and a conflicting one runs again. */
export function transactions({ client, db }: Ground): void {
  const accounts = db.collection<Account>('accounts');
  const fresh = async (...ids: string[]) => {
    await accounts.deleteMany({});
    await accounts.insertMany(ids.map((_id) => ({ _id, n: 0 })));
  };
  const inSession = async <T>(work: (session: mongoose.mongo.ClientSession) => Promise<T>): Promise<T> => {
    const session = client.startSession();
    try {
      return await work(session);
    } finally {
      await session.endSession();
    }
  };
  const inc = { $inc: { n: 1 } };

  test('what is committed is there, in all collections', async () => {
    await fresh('a');
    await inSession((session) =>
      session.withTransaction(async () => {
        await accounts.updateOne({ _id: 'a' }, inc, { session });
        await db.collection('outbox').insertOne({ account: 'a' }, { session });
      }),
    );
    expect(await accounts.findOne()).toEqual({ _id: 'a', n: 1 });
    expect(await db.collection('outbox').countDocuments()).toBe(1);
  });

  test('what is aborted never was', async () => {
    await fresh('a');
    await inSession(async (session) => {
      session.startTransaction();
      await accounts.updateOne({ _id: 'a' }, inc, { session });
      await accounts.insertOne({ _id: 'b', n: 1 }, { session });
      await accounts.deleteOne({ _id: 'a' }, { session });
      await session.abortTransaction();
    });
    expect(await accounts.find().toArray()).toEqual([{ _id: 'a', n: 0 }]);
  });

  test('an error thrown by the caller undoes all', async () => {
    await fresh('a');
    const work = inSession((session) =>
      session.withTransaction(async () => {
        await accounts.updateOne({ _id: 'a' }, inc, { session });
        throw new Error('changed my mind');
      }),
    );
    await expect(work).rejects.toThrow('changed my mind');
    expect(await accounts.findOne()).toEqual({ _id: 'a', n: 0 });
  });

  test('others see nothing before the commit; the transaction sees its own writes', async () => {
    await fresh('a');
    await inSession(async (session) => {
      session.startTransaction();
      await accounts.updateOne({ _id: 'a' }, inc, { session });
      expect(await accounts.findOne({}, { session })).toEqual({ _id: 'a', n: 1 });
      expect(await accounts.findOne()).toEqual({ _id: 'a', n: 0 });
      await session.commitTransaction();
    });
    expect(await accounts.findOne()).toEqual({ _id: 'a', n: 1 });
  });

  test('a transaction reads one state to its end', async () => {
    await fresh('a');
    await inSession(async (session) => {
      session.startTransaction({ readConcern: { level: 'snapshot' } });
      expect(await accounts.findOne({}, { session })).toEqual({ _id: 'a', n: 0 });
      await accounts.updateOne({ _id: 'a' }, inc);
      expect(await accounts.findOne({}, { session })).toEqual({ _id: 'a', n: 0 });
      await session.commitTransaction();
    });
  });

  test('of two that change one document the later one fails and may try again', async () => {
    await fresh('a');
    await inSession((first) =>
      inSession(async (second) => {
        for (const session of [first, second]) session.startTransaction();
        for (const session of [first, second]) await accounts.findOne({ _id: 'a' }, { session });
        await accounts.updateOne({ _id: 'a' }, inc, { session: first });
        const later = accounts.updateOne({ _id: 'a' }, inc, { session: second });
        later.catch(() => {});
        await sleep(100);
        await first.commitTransaction();
        const error = await later.catch((caught: mongoose.mongo.MongoServerError) => caught);
        expect(error).toMatchObject({ code: 112 });
        expect((error as mongoose.mongo.MongoError).hasErrorLabel('TransientTransactionError')).toBe(true);
        await second.abortTransaction();
      }),
    );
    expect(await accounts.findOne()).toEqual({ _id: 'a', n: 1 });
  });

  test('withTransaction repeats after conflicts until every increment is in', async () => {
    await fresh('a', 'b');
    const transfer = (from: string, to: string) =>
      inSession((session) =>
        session.withTransaction(async () => {
          const balance = await accounts.findOne({ _id: from }, { session });
          await accounts.updateOne({ _id: from }, { $set: { n: (balance?.n ?? 0) - 1 } }, { session });
          await accounts.updateOne({ _id: to }, inc, { session });
        }),
      );
    const both = Array.from({ length: 6 }, () => [transfer('a', 'b'), transfer('b', 'a')]).flat();
    await Promise.all(both);
    expect(await accounts.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 'a', n: 0 },
      { _id: 'b', n: 0 },
    ]);
  });

  test('a duplicate key ends the transaction and is told as such', async () => {
    await fresh('a');
    await inSession(async (session) => {
      session.startTransaction();
      await accounts.insertOne({ _id: 'b', n: 1 }, { session });
      await expect(accounts.insertOne({ _id: 'a', n: 1 }, { session })).rejects.toMatchObject({
        code: 11000,
      });
      await expect(session.commitTransaction()).rejects.toMatchObject({ code: 251 });
    });
    expect(await accounts.countDocuments()).toBe(1);
  });

  test('a collection may come into being in a transaction, and by several at once', async () => {
    const make = (name: string, n: number) =>
      inSession((session) =>
        session.withTransaction(async () => {
          await accounts.findOne({}, { session });
          await db.collection(name).insertOne({ n }, { session });
        }),
      );
    await Promise.all(Array.from({ length: 6 }, (_, n) => make('born', n)));
    expect(await db.collection('born').countDocuments()).toBe(6);
  });

  test('a cursor in a transaction gives all pages of its state', async () => {
    await fresh(...Array.from({ length: 250 }, (_, n) => `id-${String(n).padStart(3, '0')}`));
    await inSession(async (session) => {
      session.startTransaction();
      const cursor = accounts.find({}, { session, batchSize: 20 }).sort({ _id: 1 });
      expect(await cursor.next()).toEqual({ _id: 'id-000', n: 0 });
      await accounts.deleteMany({ _id: { $gt: 'id-100' } });
      expect(await cursor.toArray()).toHaveLength(249);
      await session.commitTransaction();
    });
    expect(await accounts.countDocuments()).toBe(101);
  });

  test('more transactions at once than there are connections all end', async () => {
    await fresh(...Array.from({ length: 60 }, (_, n) => `${n}`));
    const one = (n: number) =>
      inSession((session) =>
        session.withTransaction(async () => {
          await accounts.updateOne({ _id: `${n}` }, inc, { session });
          await accounts.findOne({ _id: `${n}` });
          await accounts.updateOne({ _id: `${n}` }, inc, { session });
        }),
      );
    await Promise.all(Array.from({ length: 60 }, (_, n) => one(n)));
    expect(await accounts.countDocuments({ n: 2 })).toBe(60);
  });
}
