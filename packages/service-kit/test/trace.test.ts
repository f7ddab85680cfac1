import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@muster/testing';
import { type Note, seen } from './notes.fixture.ts';
import { ask, eventsAbout, type Notes, startNotes } from './stand.fixture.ts';

let service: Notes;
beforeAll(async () => {
  service = await startNotes();
});
afterAll(async () => {
  await service?.stop();
});

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const headers = { 'x-request-id': 'from-the-caller', traceparent: `00-${TRACE}-${SPAN}-01` };
const ofThisTrace = new RegExp(`^00-${TRACE}-(?!${SPAN})[0-9a-f]{16}-01$`);

test('the id and the trace of a request travel with its event to whoever reacts', async () => {
  seen.reactions.length = 0;
  const made = await ask<Note>(service, 'POST /api/notes/', { json: { text: 'traced' }, headers });
  expect(made.headers.get('x-request-id')).toBe('from-the-caller');
  const [event] = await eventsAbout(service, made.body.id);
  expect(event).toMatchObject({
    requestid: 'from-the-caller',
    traceparent: expect.stringMatching(ofThisTrace),
  });
  await eventually(() =>
    expect(seen.reactions).toEqual([
      expect.objectContaining({
        requestId: 'from-the-caller',
        traceparent: expect.stringContaining(TRACE),
        orgId: event?.orgid,
      }),
    ]),
  );
});

test('and with its job, and with what the job emits', async () => {
  const { body } = await ask<Note>(service, 'POST /api/notes/', { json: { text: 'original' } });
  seen.jobs.length = 0;
  const copied = await ask<Note>(service, `POST /api/notes/${body.id}/copies/`, { headers });
  const [event] = await eventsAbout(service, copied.body.id);
  expect(seen.jobs).toEqual([
    expect.objectContaining({
      requestId: 'from-the-caller',
      traceparent: expect.stringContaining(TRACE),
      orgId: event?.orgid,
    }),
  ]);
  expect(event).toMatchObject({
    requestid: 'from-the-caller',
    traceparent: expect.stringContaining(TRACE),
  });
});

test('a request without them gets its own, and tells which', async () => {
  const one = await ask<Note>(service, 'POST /api/notes/', { json: { text: 'one' } });
  const two = await ask<Note>(service, 'POST /api/notes/', { json: { text: 'two' } });
  const [first] = await eventsAbout(service, one.body.id);
  const [second] = await eventsAbout(service, two.body.id);
  expect(first?.requestid).toBe(one.headers.get('x-request-id'));
  expect(first?.requestid).not.toBe(second?.requestid);
  expect(first?.traceparent?.slice(3, 35)).not.toBe(second?.traceparent?.slice(3, 35));
});

test('a problem names the request, so that its reason can be found', async () => {
  const { body } = await ask(service, 'GET /api/notes/none/', { headers });
  expect(body).toMatchObject({ status: 404, request_id: 'from-the-caller', instance: '/api/notes/none/' });
});
