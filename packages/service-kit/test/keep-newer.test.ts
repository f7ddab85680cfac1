import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { notes } from './notes.fixture.ts';
import { inside, type Notes, startNotes } from './stand.fixture.ts';

let service: Notes;
beforeAll(async () => {
  service = await startNotes();
});
afterAll(async () => {
  await service?.stop();
});

const mine = () => notes(inside(service));
const told = (_id: string, version: number, text = `version ${version}`) =>
  mine().keepNewer({ _id, text, version }, 'version');

describe('a newer version is kept', () => {
  test('as a new document, then in place of the one before, which is told', async () => {
    const _id = v7();
    expect(await told(_id, 3)).toBeNull();
    expect(await told(_id, 4)).toMatchObject({ _id, version: 3, text: 'version 3' });
    expect(await mine().findOne({ _id })).toEqual({
      _id,
      org_id: inside(service).org,
      text: 'version 4',
      version: 4,
    });
  });

  test('and the same or an older one changes nothing', async () => {
    const _id = v7();
    await told(_id, 3);
    expect(await told(_id, 3, 'again')).toBeUndefined();
    expect(await told(_id, 2)).toBeUndefined();
    expect(await mine().findOne({ _id })).toMatchObject({ version: 3, text: 'version 3' });
  });

  test('where a document without a version stands', async () => {
    const _id = v7();
    await service.database.collection<{ _id: string }>('notes').insertOne({
      _id,
      org_id: inside(service).org,
      text: 'old',
    } as { _id: string });
    expect(await told(_id, 1)).toMatchObject({ text: 'old' });
    expect(await mine().findOne({ _id })).toMatchObject({ version: 1, text: 'version 1' });
  });

  test('as it is written, were it an expression of the database', async () => {
    const _id = v7();
    await told(_id, 1, '$$ROOT');
    expect(await mine().findOne({ _id })).toMatchObject({ text: '$$ROOT' });
  });

  test('in the transaction under way', async () => {
    const _id = v7();
    const failed = inside(service).inTransaction(async (ctx) => {
      expect(await notes(ctx).keepNewer({ _id, text: 'a', version: 1 }, 'version')).toBeNull();
      expect(await notes(ctx).keepNewer({ _id, text: 'b', version: 1 }, 'version')).toBeUndefined();
      expect(await notes(ctx).keepNewer({ _id, text: 'c', version: 2 }, 'version')).toMatchObject({
        text: 'a',
      });
      throw new Error('after');
    });
    await expect(failed).rejects.toThrow('after');
    expect(await mine().findOne({ _id })).toBeNull();
  });

  test('in whatever order versions come, how often, one after the other or at once', async () => {
    const versions = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(versions, fc.boolean(), async (order, atOnce) => {
        const _id = v7();
        await told(_id, 0);
        if (atOnce) await Promise.all(order.map((version) => told(_id, version)));
        else for (const version of order) await told(_id, version);
        const newest = Math.max(...order);
        expect(await mine().findOne({ _id })).toMatchObject({ version: newest, text: `version ${newest}` });
      }),
      { numRuns: 25 },
    );
  });

  test('for its organization only', async () => {
    const _id = v7();
    await told(_id, 3);
    const other = notes(inside(service, v7()));
    await expect(other.keepNewer({ _id, text: 'theirs', version: 9 }, 'version')).rejects.toThrow('E11000');
    expect(await mine().findOne({ _id })).toMatchObject({ version: 3 });
  });
});
