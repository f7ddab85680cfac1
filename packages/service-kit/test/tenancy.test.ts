import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { SHARED_ORG, trusted } from '../src/index.ts';
import { guides, notes } from './notes.fixture.ts';
import { inside, type Notes, startNotes } from './stand.fixture.ts';

let service: Notes;
beforeAll(async () => {
  service = await startNotes();
});
afterAll(async () => {
  await service?.stop();
});

const model = (name = 'notes') => service.runtime.connection.model(name);

describe('a repository', () => {
  const [mine, theirs] = [v7(), v7()];
  const row = () => ({ _id: v7(), text: 'theirs', version: 1 });
  const my = () => notes(inside(service, mine));
  const their = () => notes(inside(service, theirs));

  test('writes for its organization and reads its own rows', async () => {
    const inserted = await their().insert(row());
    expect(inserted.org_id).toBe(theirs);
    await their().insertMany([row(), row()]);
    expect(await their().count({ text: 'theirs' })).toBe(3);
    expect(await their().find({}, { sort: { _id: -1 }, limit: 1 })).toHaveLength(1);
    expect(await their().findOne({ _id: inserted._id }, { projection: { text: 1 } })).toEqual({
      _id: inserted._id,
      text: 'theirs',
    });
  });

  test.each([
    ['find', async (_id: string) => (await my().find({})).length + (await my().find({ _id })).length, 0],
    ['findOne', (_id: string) => my().findOne({ _id }), null],
    ['count', (_id: string) => my().count({ _id }), 0],
    ['aggregate', async (_id: string) => (await my().aggregate({ _id })).length, 0],
    ['updateOne', (_id: string) => my().updateOne({ _id }, { $set: { text: 'mine' } }), false],
    ['findOneAndUpdate', (_id: string) => my().findOneAndUpdate({ _id }, { $set: { text: 'mine' } }), null],
    ['deleteOne', (_id: string) => my().deleteOne({ _id }), false],
    ['deleteMany', (_id: string) => my().deleteMany({ _id }), 0],
    [
      'find with another organization in its filter',
      async () => (await my().find({ org_id: theirs })).length,
      0,
    ],
    ['find with any organization', async () => (await my().find({ org_id: trusted({ $ne: '' }) })).length, 0],
    [
      'find with an alternative',
      async () => (await my().find({ $or: [{ org_id: theirs }, { _id: trusted({ $ne: '' }) }] })).length,
      0,
    ],
    ['deleteMany of another organization', () => my().deleteMany({ org_id: theirs }), 0],
  ] as const)('%s does not reach the rows of others', async (_what, call, nothing) => {
    const { _id } = await their().insert(row());
    expect(await call(_id)).toEqual(nothing);
    expect(await their().findOne({ _id })).toMatchObject({ text: 'theirs', org_id: theirs });
  });

  test('does not upsert over the row of another', async () => {
    const { _id } = await their().insert(row());
    const update = { $set: { text: 'mine', version: 1 } };
    await expect(my().updateOne({ _id }, update, { upsert: true })).rejects.toMatchObject({ code: 11000 });
    expect(await their().findOne({ _id })).toMatchObject({ text: 'theirs' });
  });

  test('does not hand a row over to another organization', async () => {
    const { _id } = await their().insert(row());
    const moved = { $set: { org_id: mine, text: 'moved' } };
    await their().updateOne({ _id }, moved);
    await their().findOneAndUpdate({ _id }, moved);
    expect(await their().findOne({ _id })).toMatchObject({ text: 'moved', org_id: theirs });
    expect(await my().findOne({ _id })).toBeNull();
  });

  test('takes no operator that came in a value, and no field that was not declared', async () => {
    await expect(my().find({ text: { $ne: null } as never })).rejects.toThrow();
    await expect(my().find({ $where: 'true' } as never)).rejects.toThrow();
    await expect(my().find({ colour: 'red' } as never)).rejects.toThrow();
    await expect(my().insert({ ...row(), colour: 'red' } as never)).rejects.toThrow();
    await expect(my().updateOne({ _id: 'x' }, { $set: { colour: 'red' } } as never)).rejects.toThrow();
  });
});

describe('shared rows', () => {
  const ofMine = () => guides(inside(service));

  test('are read by everyone, beside their own', async () => {
    await ofMine().insert({ _id: 'my-guide', text: 'Mine', version: 1 });
    const ids = (await ofMine().find({}, { sort: { _id: 1 } })).map(({ _id }) => _id);
    expect(ids).toEqual(['guide', 'my-guide']);
    expect(await ofMine().count({})).toBe(2);
    expect(await guides(inside(service, v7())).find({})).toMatchObject([
      { _id: 'guide', org_id: SHARED_ORG },
    ]);
  });

  test('are written by nobody', async () => {
    expect(await ofMine().updateOne({ _id: 'guide' }, { $set: { text: 'Mine' } })).toBe(false);
    expect(await ofMine().findOneAndUpdate({ _id: 'guide' }, { $set: { text: 'Mine' } })).toBeNull();
    expect(await ofMine().deleteOne({ _id: 'guide' })).toBe(false);
    expect(await ofMine().deleteMany({ text: 'How to write notes' })).toBe(0);
    expect(await ofMine().findOne({ _id: 'guide' })).toMatchObject({ text: 'How to write notes' });
  });

  test('are of collections that say so', async () => {
    const _id = v7();
    await notes(inside(service, SHARED_ORG)).insert({ _id, text: 'not for all', version: 1 });
    expect(await notes(inside(service)).findOne({ _id })).toBeNull();
  });
});

describe('without an organization', () => {
  test.each([
    ['find', () => model().find({})],
    ['findOne', () => model().findOne({ _id: 'x' })],
    ['findById', () => model().findById('x')],
    ['exists', () => model().exists({ _id: 'x' })],
    ['an organization that is not there', () => model().find({ org_id: undefined })],
    ['countDocuments', () => model().countDocuments({})],
    ['estimatedDocumentCount', () => model().estimatedDocumentCount()],
    ['distinct', () => model().distinct('text')],
    ['updateOne', () => model().updateOne({ _id: 'x' }, { $set: { text: 'y' } })],
    ['updateMany', () => model().updateMany({}, { $set: { text: 'y' } })],
    ['replaceOne', () => model().replaceOne({ _id: 'x' }, { text: 'y' })],
    ['findOneAndUpdate', () => model().findOneAndUpdate({ _id: 'x' }, { $set: { text: 'y' } })],
    ['findOneAndReplace', () => model().findOneAndReplace({ _id: 'x' }, { text: 'y' })],
    ['findOneAndDelete', () => model().findOneAndDelete({ _id: 'x' })],
    ['deleteOne', () => model().deleteOne({ _id: 'x' })],
    ['deleteMany', () => model().deleteMany({})],
    ['aggregate', () => model().aggregate([{ $group: { _id: '$text' } }])],
    ['a late match', () => model().aggregate([{ $sort: { _id: 1 } }, { $match: { org_id: 'x' } }])],
    ['an empty aggregation', () => model().aggregate([])],
    ['bulkWrite', () => model().bulkWrite([{ deleteMany: { filter: {} } }])],
  ])('%s is refused before it reaches the database', async (_what, call) => {
    await expect(Promise.resolve().then(() => call() as PromiseLike<unknown>)).rejects.toThrow(
      /organization|org_id|repository/,
    );
  });
});
