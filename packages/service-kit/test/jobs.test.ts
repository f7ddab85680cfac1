import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Job, jobOwner } from '@muster/contracts';
import { eventually } from '@muster/testing';
import { v7 } from 'uuid';
import { AppError } from '../src/index.ts';
import { gate, type Note, next } from './notes.fixture.ts';
import { ask, type Notes, startNotes } from './stand.fixture.ts';

let service: Notes;
let note: Note;
beforeAll(async () => {
  service = await startNotes();
});
afterAll(async () => {
  await service?.stop();
});
beforeEach(async () => {
  note = (await ask<Note>(service, 'POST /api/notes/', { json: { text: v7() } })).body;
});

const copy = <Body = Note>(headers: Record<string, string> = {}, id = note.id) =>
  ask<Body>(service, `POST /api/notes/${id}/copies/`, { headers });
const read = (id: string, headers: Record<string, string> = {}) =>
  ask<Job>(service, `GET /api/jobs/${id}`, { headers });
/** Starts a copy that stops at a gate. */
async function held() {
  const waits = gate();
  next.waits = waits;
  const { body } = await copy<Job>({ prefer: 'respond-async' });
  await waits.reached;
  return { id: body.id, open: waits.open };
}
const notes = () => service.database.collection('notes').countDocuments({ text: note.text });

describe('work on a queue', () => {
  test('that ends in time is answered as the finished resource', async () => {
    const { status, headers, body } = await copy();
    expect([status, body]).toMatchObject([201, { text: note.text, version: 1 }]);
    expect(headers.get('location')).toBe(`/api/notes/${body.id}/`);
    expect(headers.get('etag')).toBe('"1"');
    expect((await ask(service, `GET ${headers.get('location')}`)).body).toEqual(body);
  });

  test('that nobody waits for is answered as a job, which can be read until it has its result', async () => {
    const { status, headers, body } = await copy<Job>({ prefer: 'respond-async' });
    expect([status, headers.get('location')]).toEqual([202, `/api/jobs/${body.id}`]);
    expect(body).toMatchObject({ kind: 'note-copy', result: null, error: null, finished_at: null });
    expect(['queued', 'running']).toContain(body.status);
    expect(jobOwner(body.id)).toBe('exercises');
    const done = await eventually(async () => {
      const job = (await read(body.id)).body;
      expect(job.status).toBe('succeeded');
      return job;
    });
    expect(done).toMatchObject({ result: { href: `/api/notes/copy-${body.id}/` }, error: null, attempts: 1 });
    expect(done.progress).toEqual({ done: 0, total: 1, message: 'Copying' });
    const times = [done.created_at, done.started_at, done.finished_at].map((time) => Date.parse(time ?? ''));
    expect(times).toEqual(times.toSorted());
  });

  test('that takes longer than the wait is answered as a job', async () => {
    next.waits = gate();
    const { waits } = next;
    const started = Date.now();
    const { status, body } = await copy<Job>({ prefer: 'wait=1' });
    expect([status, body.status]).toEqual([202, 'running']);
    expect(Date.now() - started).toBeGreaterThanOrEqual(990);
    waits.open();
  });

  test('under an Idempotency-Key is one job, however it is asked for', async () => {
    const key = { 'idempotency-key': v7() };
    const job = await copy<Job>({ ...key, prefer: 'respond-async' });
    const same = await copy({ ...key });
    const again = await copy({ ...key });
    expect([job.status, same.status, again.status]).toEqual([202, 201, 201]);
    expect(same.headers.get('idempotency-replayed')).toBe('true');
    expect(same.body).toMatchObject({ id: `copy-${job.body.id}` });
    expect(again.body).toEqual(same.body);
    expect(await notes()).toBe(2);
  });

  test('is not begun when the request is refused', async () => {
    const before = await service.database.collection('jobs').countDocuments();
    expect((await copy({}, 'nowhere')).status).toBe(404);
    expect((await copy({ prefer: 'wait=61' })).status).toBe(400);
    expect(await service.database.collection('jobs').countDocuments()).toBe(before);
  });
});

describe('work that fails', () => {
  test('for a reason that people can mend answers with that problem, and the job keeps it', async () => {
    const errors = [{ path: '/text', code: 'blank', message: 'has nothing to copy' }];
    next.fails = new AppError('validation-failed', 'Nothing to copy.', { errors });
    const { status, body } = await copy<{ job: Job; detail: string; errors: unknown }>();
    expect([status, body]).toMatchObject([422, { detail: 'Nothing to copy.', errors }]);
    expect((await read(body.job.id)).body).toMatchObject({
      status: 'failed',
      error: { status: 422, detail: 'Nothing to copy.', errors, instance: `/api/jobs/${body.job.id}` },
      result: null,
    });
  });

  test('for any other reason tells nothing of the inside', async () => {
    next.fails = new Error('the password is hunter2');
    const { status, body } = await copy<{ job: Job }>({ 'x-request-id': 'ask-me' });
    expect(status).toBe(500);
    const job = await read(body.job.id);
    expect(job.body).toMatchObject({ status: 'failed', error: { status: 500, request_id: 'ask-me' } });
    expect(JSON.stringify([body, job.body])).not.toMatch(/hunter2|\.ts\b|node_modules|at \w+ \(/);
    expect(job.body.error?.detail).toContain('ask-me');
    expect(await notes()).toBe(1);
  });
});

describe('a job', () => {
  test('is followed from where it is until it ends', async () => {
    const { id, open } = await held();
    const response = await service.fetch(`${service.url}/api/jobs/${id}/stream`);
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const told: Job[] = [];
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        expect(event).toMatch(/^event: job\ndata: \{.*\}$/);
        told.push(JSON.parse(event.slice('event: job\ndata: '.length)));
      }
      if (told.length === 1) open();
    }
    expect(told[0]).toMatchObject({ id, status: 'running' });
    expect(told.at(-1)).toMatchObject({
      id,
      status: 'succeeded',
      result: { href: `/api/notes/copy-${id}/` },
    });
    expect(told.at(-1)).toEqual((await read(id)).body);
  });

  test('that has ended is told once', async () => {
    const { headers } = await copy();
    const id = headers.get('location')?.split('copy-')[1]?.slice(0, -1) ?? '';
    const { body } = await ask<string>(service, `GET /api/jobs/${id}/stream`);
    expect(body.match(/event: job/g)).toHaveLength(1);
    expect(body).toContain('"succeeded"');
  });

  test('that is cancelled ends at once, for those who follow and for its work, and leaves nothing', async () => {
    const { id, open } = await held();
    const following = ask<string>(service, `GET /api/jobs/${id}/stream`);
    const cancelled = await ask<Job>(service, `DELETE /api/jobs/${id}`);
    expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled']);
    expect((await following).body).toContain('"cancelled"');
    open();
    expect((await ask(service, `DELETE /api/jobs/${id}`)).status).toBe(409);
    expect((await read(id)).body).toMatchObject({ status: 'cancelled', result: null });
    expect(await notes()).toBe(1);
  });

  test('that another process has taken over can commit nothing any more', async () => {
    const { id, open } = await held();
    const jobs = service.database.collection<{ _id: string; owner: string }>('jobs');
    const taken = await jobs.updateOne({ _id: id }, { $inc: { generation: 1 }, $set: { owner: 'another' } });
    expect(taken.modifiedCount).toBe(1);
    open();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await notes()).toBe(1);
    expect((await read(id)).body).toMatchObject({ status: 'running', result: null });
  });

  test('that is cancelled says so to whoever waits for it', async () => {
    const waits = gate();
    next.waits = waits;
    const key = { 'idempotency-key': v7() };
    const { body } = await copy<Job>({ ...key, prefer: 'respond-async' });
    await waits.reached;
    const waiting = copy<{ job: Job }>(key);
    await ask(service, `DELETE /api/jobs/${body.id}`);
    expect(await waiting).toMatchObject({ status: 409, body: { job: { id: body.id, status: 'cancelled' } } });
    waits.open();
  });

  test('of another organization is not there', async () => {
    const { id, open } = await held();
    const headers = { authorization: `Bearer ${service.tokens.sign({ org: v7() })}` };
    for (const line of [`GET /api/jobs/${id}`, `GET /api/jobs/${id}/stream`, `DELETE /api/jobs/${id}`]) {
      const { status, body } = await ask(service, line, { headers });
      expect([line, status, body.type]).toEqual([line, 404, 'urn:muster:problem:not-found']);
    }
    expect((await read(id)).body.status).toBe('running');
    open();
  });

  test.each([['nonsense'], [v7()], ['01923f5e-7b1a-7c3d-9e2f-5a6b7c8d9e00']])(
    'that never was, %s, is not there',
    async (id) => {
      expect((await read(id)).status).toBe(404);
      expect((await ask(service, `GET /api/jobs/${id}/stream`)).status).toBe(404);
    },
  );
});
