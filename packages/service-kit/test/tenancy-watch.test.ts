import { expect, test } from '@jest/globals';
import { DEMO_ORGANIZATION } from '../src/index.ts';
import { ask, startNotes } from './stand.fixture.ts';

test('a test whose service asks past its repositories fails when it stops the service', async () => {
  const service = await startNotes();
  const { connection } = service.runtime;
  const rows = connection.collection('notes');
  const org_id = DEMO_ORGANIZATION.id;
  await rows.find({ text: 'find' }).toArray();
  await rows.findOne({ org_id: { $ne: org_id }, text: 'ne' });
  await rows.countDocuments({ text: 'count' });
  await rows.estimatedDocumentCount();
  await rows.distinct('text', { text: 'distinct' });
  await rows.updateMany({ text: 'update' }, { $set: { version: 1 } });
  await rows.deleteMany({ text: 'delete' });
  await rows.findOneAndDelete({ text: 'modify' });
  await rows.aggregate([{ $sort: { _id: 1 } }, { $match: { org_id, text: 'late' } }]).toArray();
  const joined = { from: 'notes', localField: 'text', foreignField: 'text', as: 'joined' };
  await connection
    .collection('guides')
    .aggregate([{ $match: { org_id } }, { $lookup: joined }])
    .toArray();
  await rows.aggregate([{ $match: { org_id } }, { $unionWith: 'guides' }]).toArray();
  await rows.insertOne({ text: 'insert' });

  const said = await service.stop().then(
    () => '',
    (error: Error) => error.message,
  );
  expect(said).toMatch(/^12 commands on rows of organizations do not name the organization:/);
  const texts = ['find', 'ne', 'count', 'distinct', 'update', 'delete', 'modify', 'late', 'insert'];
  for (const text of texts) expect(said).toContain(`"${text}"`);
  expect(said).toContain('$lookup');
  expect(said).toContain('$unionWith');
  expect(said).toContain('{"count":"notes"');
});

test('one whose service keeps to them passes', async () => {
  const service = await startNotes();
  const { connection } = service.runtime;
  const org_id = DEMO_ORGANIZATION.id;
  await connection.collection('notes').find({ org_id, text: 'x' }).toArray();
  await connection.collection('guides').findOne({ org_id: { $in: [org_id, 'shared'] } });
  const pipeline = [{ $match: { org_id } }];
  await connection
    .collection('notes')
    .aggregate([...pipeline, { $lookup: { from: 'guides', pipeline, as: 'joined' } }])
    .toArray();
  await connection.collection('outbox').countDocuments({});
  await service.database.collection('notes').find().toArray();
  expect((await ask(service, 'POST /api/notes/', { json: { text: 'x' } })).status).toBe(201);
  await service.stop();
});
