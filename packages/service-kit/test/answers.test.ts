import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type Note, next } from './notes.fixture.ts';
import { ask, type Notes, startNotes } from './stand.fixture.ts';

let service: Notes;
beforeAll(async () => {
  service = await startNotes();
});
afterAll(async () => {
  await service?.stop();
});
afterEach(() => {
  delete next.answers;
});

const create = (text: string, to = service) => ask<Note>(to, 'POST /api/notes/', { json: { text } });
const stored = (text: string) => service.database.collection('notes').countDocuments({ text });

test('an answer against its contract is a 500 in development that names the field, and nothing is stored', async () => {
  next.answers = { owner: 'somebody' };
  const { status, body } = await create('with an owner');
  expect([status, body]).toMatchObject([
    500,
    { detail: 'POST /api/notes/ answers 201 against its contract: /owner is not declared' },
  ]);
  expect(await stored('with an owner')).toBe(0);
});

test('so is one that a job leaves to be read', async () => {
  const { body } = await create('to copy');
  next.answers = { version: '1' };
  const copied = await ask(service, `POST /api/notes/${body.id}/copies/`);
  expect([copied.status, copied.body]).toMatchObject([
    500,
    { detail: expect.stringMatching(/^POST .* answers 201 against its contract: \/version Invalid input/) },
  ]);
});

test('in production nobody looks', async () => {
  const production = await startNotes({ MUSTER_MODE: 'production' });
  next.answers = { owner: 'somebody' };
  const token = production.tokens.sign();
  const answer = await ask(production, 'POST /api/notes/', {
    json: { text: 'as in production' },
    headers: { authorization: `Bearer ${token}` },
  });
  expect([answer.status, answer.body]).toMatchObject([201, { owner: 'somebody' }]);
  await production.stop();
});
