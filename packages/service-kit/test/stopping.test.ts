import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { eventually } from '@muster/testing';
import { gate, type Note, next } from './notes.fixture.ts';
import { ask, startNotes } from './stand.fixture.ts';

test('a stop takes nothing new, finishes what is under way, and ends what is followed', async () => {
  const service = await startNotes();
  await ask(service, 'POST /api/notes/', { json: { text: 'warm' } });
  const silent = connect(Number(new URL(service.url).port), '127.0.0.1');
  await once(silent, 'connect');
  const following = ask<string>(service, 'GET /api/clock/');
  const held = gate();
  next.waits = held;
  const underWay = ask<Note>(service, 'POST /api/notes/', { json: { text: 'under way' } });
  await held.reached;

  let ended = false;
  const stopped = service.stop().then(() => {
    ended = true;
  });
  expect((await following).body).toBe('data: tick\n\n');
  await eventually(() => expect(ask(service, 'GET /live')).rejects.toThrow('fetch failed'));
  expect(ended).toBe(false);
  held.open();
  const { status, body } = await underWay;
  expect([status, body.text]).toEqual([201, 'under way']);
  const answered = Date.now();
  await stopped;
  expect(Date.now() - answered).toBeLessThan(5_000);
  expect(silent.destroyed).toBe(true);
});
