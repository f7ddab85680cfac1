import { expect, test } from '@jest/globals';
import { gate, type Note, next } from './notes.fixture.ts';
import { ask, startNotes } from './stand.fixture.ts';

test('a stop takes nothing new, finishes what is under way, and says so to those who follow', async () => {
  const service = await startNotes();
  await ask(service, 'POST /api/notes/', { json: { text: 'warm' } });
  const following = ask<string>(service, 'GET /api/clock/');
  const held = gate();
  next.waits = held;
  const underWay = ask<Note>(service, 'POST /api/notes/', { json: { text: 'under way' } });
  await held.reached;

  const { database } = service;
  let rows: unknown[] = [];
  const stopping = service.runtime.connection;
  stopping.once('close', () => undefined);
  const stopped = service.stop();
  expect((await following).body).toBe('data: tick\n\n');
  await expect(ask(service, 'GET /live')).rejects.toThrow('fetch failed');
  rows = await database.collection('notes').find({ text: 'under way' }).toArray();
  expect(rows).toEqual([]);
  held.open();
  const { status, body } = await underWay;
  expect([status, body.text]).toEqual([201, 'under way']);
  const opened = Date.now();
  await stopped;
  expect(Date.now() - opened).toBeLessThan(5_000);
});
