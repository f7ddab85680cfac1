import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { changeRecordedBy, type EventData, type Role, routeTable, scopesOf } from '@muster/contracts';
import { eventually } from '@muster/testing';
import type { Request } from 'express';
import { v7 } from 'uuid';
import { commandAudits } from '../src/http/audit.ts';
import { AppError, developmentActor } from '../src/index.ts';
import { next, notesApi } from './notes.fixture.ts';
import { ask, type Notes, startNotes } from './stand.fixture.ts';

// Every command of a person is told to the audit log, whatever came of it; notes know nothing of that.

const { type } = changeRecordedBy('exercises');
type Entry = EventData<ReturnType<typeof changeRecordedBy>>;

let service: Notes;
beforeAll(async () => {
  service = await startNotes();
});
afterAll(async () => {
  await service?.stop();
});

function someone(role: Role = 'owner') {
  const [id, org] = [v7(), v7()];
  const token = service.tokens.sign({ sub: id, org, role, name: 'Somebody', scopes: scopesOf(role) });
  return { id, org, headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': '192.0.2.10' } };
}
type Someone = ReturnType<typeof someone>;

/** What was told of somebody, in its order. */
async function toldOf({ id }: Someone): Promise<Entry[]> {
  const rows = await service.database.collection<{ body: string }>('outbox').find({ type }).toArray();
  const all = rows.map(({ body }) => JSON.parse(body) as { id: string; data: Entry });
  return all
    .toSorted((one, other) => one.id.localeCompare(other.id))
    .map(({ data }) => data)
    .filter(({ actor }) => actor.id === id);
}

test('a command that was done is told in its transaction: who, what, on what, from where', async () => {
  const who = someone();
  const made = await ask(service, 'POST /api/notes/', { headers: who.headers, json: { text: 'One' } });
  await ask(service, `PUT /api/notes/${made.body.id}/`, { headers: who.headers, json: { text: 'Two' } });
  await ask(service, 'GET /api/notes/', { headers: who.headers });
  expect(await toldOf(who)).toEqual([
    {
      actor: { id: who.id, name: 'Somebody', via: 'session' },
      address: '192.0.2.10',
      action: 'notes.create_note',
      object: { kind: 'notes', id: made.body.id, name: '/api/notes/' },
      before: null,
      after: null,
      request_id: made.headers.get('x-request-id'),
      command: 'POST /api/notes/',
      result: 'done',
      status: 201,
      problem: null,
      times: 1,
    },
    expect.objectContaining({
      action: 'notes.change_note',
      object: { kind: 'notes', id: made.body.id, name: `/api/notes/${made.body.id}/` },
      command: 'PUT /api/notes/{id}/',
      status: 200,
    }),
  ]);
});

test('a repeat under the same key is the same command', async () => {
  const who = someone();
  const headers = { ...who.headers, 'idempotency-key': v7() };
  for (let n = 0; n < 3; n += 1) await ask(service, 'POST /api/notes/', { headers, json: { text: 'One' } });
  expect(await toldOf(who)).toHaveLength(1);
});

test.each([
  ['forbidden', 403, 'DELETE /api/notes/x/', undefined],
  ['not-found', 404, 'PUT /api/notes/x/', { text: 'Two' }],
  ['validation-failed', 422, 'POST /api/notes/', { text: 7 }],
] as const)('a refusal is told with its reason: %s', async (problem, status, line, json) => {
  const who = someone('member');
  service.tokens.standings.of.set(who.id, { role: 'member' });
  expect((await ask(service, line, { headers: who.headers, json })).status).toBe(status);
  await eventually(async () =>
    expect(await toldOf(who)).toMatchObject([{ result: 'refused', status, problem, address: '192.0.2.10' }]),
  );
});

test('so are a token that is worth nothing any more, and a command that failed', async () => {
  const [gone, unlucky] = [someone(), someone()];
  service.tokens.standings.of.set(gone.id, { role: null });
  await ask(service, 'POST /api/notes/', { headers: gone.headers, json: { text: 'One' } });
  next.fails = new Error('a bug');
  const { status } = await ask(service, 'POST /api/notes/', {
    headers: unlucky.headers,
    json: { text: 'One' },
  });
  expect(status).toBe(500);
  await eventually(async () => {
    expect(await toldOf(gone)).toMatchObject([{ result: 'refused', status: 401, problem: 'unauthorized' }]);
    expect(await toldOf(unlucky)).toMatchObject([{ result: 'failed', status: 500, problem: 'internal' }]);
  });
});

test('who is refused the same again and again does not fill the log: it is told once, then how often', async () => {
  const who = someone('viewer');
  service.tokens.standings.of.set(who.id, { role: 'viewer' });
  for (let n = 0; n < 40; n += 1) await ask(service, `DELETE /api/notes/${n}/`, { headers: who.headers });
  await eventually(async () => expect(await toldOf(who)).toHaveLength(1));

  const audits = commandAudits(service.runtime);
  const route = routeTable([notesApi]).find('DELETE', '/api/notes/1/');
  if (route.kind !== 'match') throw new Error('There is no such endpoint');
  const other = someone();
  const request = { path: '/api/notes/1/', headers: {}, socket: {} } as Request;
  const refused = new AppError('forbidden', 'No');
  for (let n = 0; n < 40; n += 1)
    audits.of(route.match, request)?.refused({ ...developmentActor, id: other.id }, refused);
  await eventually(async () => expect(await toldOf(other)).toHaveLength(1));
  await audits.stop();
  expect((await toldOf(other)).map(({ times }) => times)).toEqual([1, 39]);
});

test('a stranger without a token leaves no trace', async () => {
  const before = await service.database.collection('outbox').countDocuments({ type });
  const answer = await ask(service, 'POST /api/notes/', { headers: { authorization: 'Bearer x' }, json: {} });
  expect(answer.status).toBe(401);
  expect(await service.database.collection('outbox').countDocuments({ type })).toBe(before);
});
