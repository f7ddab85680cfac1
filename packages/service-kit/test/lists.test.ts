import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { List } from '@muster/contracts';
import { v7 } from 'uuid';
import type { Note } from './notes.fixture.ts';
import { notes } from './notes.fixture.ts';
import { ask, inside, type Notes, startNotes } from './stand.fixture.ts';

let service: Notes;
const ids: string[] = [];
const text = v7();
beforeAll(async () => {
  service = await startNotes();
  for (let at = 0; at < 7; at += 1) {
    const { _id } = await notes(inside(service)).insert({ _id: v7(), text, version: 1 });
    ids.unshift(_id);
  }
});
afterAll(async () => {
  await service?.stop();
});

const list = (query: Record<string, string>, headers: Record<string, string> = {}) =>
  ask<List<Note>>(service, `GET /api/notes/?${new URLSearchParams(query)}`, { headers });
const idsOf = ({ body }: { body: List<Note> }) => body.items.map(({ id }) => id);

describe('a list', () => {
  test('comes in pages, newest first; each row once, although rows come and go meanwhile', async () => {
    const first = await list({ text, limit: '3' });
    expect([idsOf(first), first.body.total]).toEqual([ids.slice(0, 3), 7]);
    await notes(inside(service)).insert({ _id: v7(), text, version: 1 });
    await notes(inside(service)).deleteOne({ _id: ids[1] });
    const second = await list({ text, limit: '3', cursor: first.body.next_cursor ?? '' });
    expect([idsOf(second), second.body.total]).toEqual([ids.slice(3, 6), 7]);
    const last = await list({ text, limit: '3', cursor: second.body.next_cursor ?? '' });
    expect(idsOf(last)).toEqual(ids.slice(6));
    expect(last.body.next_cursor).toBeNull();
  });

  test('may be empty', async () => {
    const { status, body } = await list({ text: 'none' });
    expect([status, body]).toEqual([200, { items: [], next_cursor: null, total: 0 }]);
  });

  test('has no cursor where the page holds all there is', async () => {
    const { body } = await list({ text, limit: '7' });
    expect([body.items.length, body.next_cursor]).toEqual([7, null]);
  });

  test('refuses a cursor of other filters, of another organization, or made up', async () => {
    const { next_cursor } = (await list({ text, limit: '1' })).body;
    const cursor = next_cursor ?? '';
    const stranger = { authorization: `Bearer ${service.tokens.sign({ org: v7() })}` };
    const answers = [
      await list({ cursor }),
      await list({ text: 'other', cursor }),
      await list({ text, cursor }, stranger),
      await list({ text, cursor: `${cursor}x` }),
      await list({ text, cursor: 'W10.x' }),
    ];
    for (const { status, body } of answers)
      expect([status, body]).toMatchObject([422, { errors: [{ path: '/cursor', in: 'query' }] }]);
  });

  test.each([['0'], ['201'], ['1.5'], ['1e9'], ['-1'], ['x'], ['']])(
    'refuses the limit %j',
    async (limit) => {
      expect((await list({ limit })).status).toBe(422);
    },
  );
});
