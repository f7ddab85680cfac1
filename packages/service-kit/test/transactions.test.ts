import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { changeRecordedBy, scopesOf } from '@muster/contracts';
import type { TestClaims } from '@muster/testing';
import { v7 } from 'uuid';
import { AppError } from '../src/index.ts';
import { copy, gate, type Note, next, notes } from './notes.fixture.ts';
import { ask, eventsAbout, inside, type Notes, startNotes } from './stand.fixture.ts';

let service: Notes;
beforeAll(async () => {
  service = await startNotes();
});
afterAll(async () => {
  await service?.stop();
});

const post = (key: string | undefined, json: unknown = { text: 'a' }, token?: string) =>
  ask<Note>(service, 'POST /api/notes/', {
    json,
    headers: { ...(key && { 'idempotency-key': key }), ...(token && { authorization: `Bearer ${token}` }) },
  });
/** Everything that commands left behind. */
async function left(text: string) {
  const written = await service.database.collection('notes').find({ text }).toArray();
  const events = await Promise.all(written.map(({ _id }) => eventsAbout(service, String(_id))));
  return { notes: written.length, events: events.flat().length };
}
const stored = (collection: string) => service.database.collection(collection).countDocuments();
/** What the audit log is told of a command that came to nothing is there all the same. */
const events = () =>
  service.database.collection('outbox').countDocuments({ type: { $ne: changeRecordedBy('exercises').type } });

describe('a command', () => {
  test('leaves its state and its event', async () => {
    const { status, body, headers } = await post(undefined, { text: 'both' });
    expect([status, headers.get('location')]).toEqual([201, `/api/notes/${body.id}/`]);
    expect(await left('both')).toEqual({ notes: 1, events: 1 });
  });

  test.each([
    ['refuses', new AppError('conflict', 'Not now.'), 409],
    ['crashes', new Error('a secret of the inside'), 500],
  ])('that %s after it wrote leaves no state, no event, no key', async (_what, fails, status) => {
    const before = [await stored('notes'), await events()];
    next.fails = fails;
    const answer = await post(v7(), { text: 'never' });
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).not.toMatch(/secret|\.ts|at /);
    expect([await stored('notes'), await events()]).toEqual(before);
    expect(await service.database.collection('idempotency_keys').countDocuments({ reply: null })).toBe(0);
  });

  test('outside a transaction cannot emit or enqueue', async () => {
    const ctx = inside(service);
    await expect(ctx.enqueue(copy, { id: '1' })).rejects.toThrow('use inTransaction');
  });

  test('goes on for another organization in the same transaction, where the service itself acts', async () => {
    const [_id, org] = [v7(), v7()];
    const failed = inside(service).inTransaction(async (outer) => {
      const other = outer.forOrganization(org);
      expect(other.actor).toMatchObject({ org, via: 'system', id: 'exercises' });
      await notes(other).insert({ _id, text: 'elsewhere', version: 1 });
      await expect(notes(outer).findOne({ _id })).resolves.toBeNull();
      throw new Error('after');
    });
    await expect(failed).rejects.toThrow('after');
    expect(await notes(inside(service, org)).findOne({ _id })).toBeNull();
  });

  test('inside another is part of it', async () => {
    const _id = v7();
    const failed = inside(service).inTransaction(async (outer) => {
      await outer.inTransaction((inner) => notes(inner).insert({ _id, text: 'nested', version: 1 }));
      expect(await notes(outer).findOne({ _id })).toMatchObject({ text: 'nested' });
      expect(await notes(inside(service)).findOne({ _id })).toBeNull();
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await notes(inside(service)).findOne({ _id })).toBeNull();
  });

  test('that loses against another is run again, whole', async () => {
    const _id = v7();
    const ctx = inside(service);
    await notes(ctx).insert({ _id, text: 'contended', version: 1 });
    let runs = 0;
    await ctx.inTransaction(async (tx) => {
      runs += 1;
      const { version = 0 } = (await notes(tx).findOne({ _id })) ?? {};
      if (runs === 1) await notes(ctx).updateOne({ _id }, { $set: { version: 10 } });
      await notes(tx).updateOne({ _id }, { $set: { version: version + 1 } });
    });
    expect(runs).toBe(2);
    expect(await notes(ctx).findOne({ _id })).toMatchObject({ version: 11 });
  });
});

describe('an Idempotency-Key', () => {
  test('brings back the same answer, once done', async () => {
    const key = v7();
    const first = await post(key, { text: 'replayed' });
    const again = await post(key, { text: 'replayed' });
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
    for (const name of ['location', 'etag', 'content-type'])
      expect(again.headers.get(name)).toBe(first.headers.get(name));
    expect(await left('replayed')).toEqual({ notes: 1, events: 1 });
  });

  test('is refused for another body, another address, or a body in other words', async () => {
    const key = v7();
    const { body } = await post(key, { text: 'mine' });
    expect((await post(key, { text: 'other' })).status).toBe(422);
    const headers = { 'content-type': 'application/json', 'idempotency-key': key };
    const spaced = { body: '{ "text": "mine" }', headers };
    const answer = await ask(service, 'POST /api/notes/', spaced);
    expect([answer.status, answer.body.type]).toEqual([422, 'urn:muster:problem:idempotency-key-reused']);
    const copied = await ask(service, `POST /api/notes/${body.id}/copies/`, {
      headers: { 'idempotency-key': key },
    });
    expect(copied.status).toBe(422);
    expect(await left('mine')).toEqual({ notes: 1, events: 1 });
  });

  test.each<[string, TestClaims]>([
    ['a weaker role', { role: 'facilitator', scopes: scopesOf('facilitator') }],
    ['fewer scopes', { scopes: ['scenarios:read'] }],
    ['an API token of the same rights', { kind: 'api_token' }],
  ])('gives %s nothing of what a stronger token was answered', async (_what, claims) => {
    const [key, sub] = [v7(), v7()];
    const signed = (more: TestClaims = {}) => service.tokens.sign({ sub, ...more });
    expect((await post(key, { text: key }, signed())).status).toBe(201);
    const refused = await post(key, { text: key }, signed(claims));
    expect(refused.body).toMatchObject({ status: 422, type: 'urn:muster:problem:idempotency-key-reused' });
    expect((await post(key, { text: key }, signed())).headers.get('idempotency-replayed')).toBe('true');
    expect(await left(key)).toEqual({ notes: 1, events: 1 });
  });

  test('belongs to one caller: the same key of another is another', async () => {
    const key = v7();
    const mine = await post(key, { text: 'whose' });
    const colleague = await post(key, { text: 'whose' }, service.tokens.sign({ sub: v7() }));
    const stranger = await post(key, { text: 'whose' }, service.tokens.sign({ org: v7() }));
    expect([colleague.status, stranger.status]).toEqual([201, 201]);
    expect(new Set([mine.body.id, colleague.body.id, stranger.body.id]).size).toBe(3);
  });

  test('of requests at once has one effect; the others are told to wait', async () => {
    const key = v7();
    const held = gate();
    next.waits = held;
    const first = post(key, { text: 'at once' });
    await held.reached;
    const others = await Promise.all(Array.from({ length: 5 }, () => post(key, { text: 'at once' })));
    expect(others.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409]);
    expect(others[0]?.body).toMatchObject({ type: 'urn:muster:problem:in-progress' });
    expect(others[0]?.headers.get('retry-after')).toBe('1');
    held.open();
    expect((await first).status).toBe(201);
    expect((await post(key, { text: 'at once' })).body).toEqual((await first).body);
    expect(await left('at once')).toEqual({ notes: 1, events: 1 });
  });

  test('of requests at the very same moment has one effect', async () => {
    const key = v7();
    const all = await Promise.all(Array.from({ length: 8 }, () => post(key, { text: 'race' })));
    expect(all.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    expect(all.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
    expect(await left('race')).toEqual({ notes: 1, events: 1 });
  });

  test.each([
    ['a refusal', new AppError('conflict', 'Not now.'), 409],
    ['a crash', new Error('no'), 500],
  ])('is free again after %s', async (_what, fails, status) => {
    const key = v7();
    next.fails = fails;
    const text = `after ${status}`;
    expect((await post(key, { text })).status).toBe(status);
    const again = await post(key, { text });
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect(await left(text)).toEqual({ notes: 1, events: 1 });
  });

  test('of a process that died is taken over; should it live after all, its work is undone', async () => {
    const key = v7();
    const held = gate();
    next.waits = held;
    const slow = post(key, { text: 'dead' });
    await held.reached;
    const claims = service.database.collection('idempotency_keys');
    const died = { $set: { claimed_until: new Date(Date.now() - 1) } };
    expect((await claims.updateOne({ reply: null }, died)).modifiedCount).toBe(1);
    const taken = await post(key, { text: 'dead' });
    expect([taken.status, taken.headers.get('idempotency-replayed')]).toEqual([201, null]);
    held.open();
    expect((await slow).status).toBe(409);
    expect(await left('dead')).toEqual({ notes: 1, events: 1 });
    expect((await post(key, { text: 'dead' })).body).toEqual(taken.body);
  });

  test('keeps its answer sealed, and for a day', async () => {
    await post(v7(), { text: 'a text that must not show' });
    const rows = await service.database.collection('idempotency_keys').find().toArray();
    expect(JSON.stringify(rows)).not.toContain('must not show');
    const [newest] = rows.toSorted((one, other) => other.expires_at - one.expires_at);
    const hours = (newest?.expires_at.getTime() - Date.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
  });

  test('is nothing to a reading request', async () => {
    const { body } = await post(undefined);
    const read = await ask(service, `GET /api/notes/${body.id}/`, { headers: { 'idempotency-key': '' } });
    expect(read.status).toBe(200);
  });
});
