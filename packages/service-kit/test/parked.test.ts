import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parkedApi, scenarioRemoved } from '@muster/contracts';
import { eventually, publishUnchecked, type TestClaims } from '@muster/testing';
import { v7 } from 'uuid';
import { DEMO_ORGANIZATION } from '../src/index.ts';
import { ask, type Notes, startNotes } from './stand.fixture.ts';

const COMMAND = fileURLToPath(new URL('../src/parked.command.ts', import.meta.url));
const service = 'exercises';

let notes: Notes;
beforeAll(async () => {
  notes = await startNotes();
});
afterAll(async () => {
  await notes?.stop();
});

const owner = () => notes.client(parkedApi(service));
const rows = () =>
  notes.database.collection<{ _id: string; body: string; parked_at?: Date }>('parked_messages');
const seen = (id: string) => notes.database.collection<{ _id: string }>('sightings').findOne({ _id: id });
const parkedAt = async (id: string) => (await rows().findOne({ _id: id }))?.parked_at;

/** Has the service given a message that it can only park. */
async function poison(org: string = DEMO_ORGANIZATION.id): Promise<string> {
  const id = v7();
  const event = { id, org, subject: 'poison.json', seq: 1, data: { filename: 7 } };
  await publishUnchecked(notes.env.AMQP_URL ?? '', scenarioRemoved, event);
  await eventually(async () => expect(await parkedAt(id)).toBeDefined());
  return id;
}

/** What whoever runs the product may do about a message. */
async function mend(id: string): Promise<void> {
  const body = String((await rows().findOne({ _id: id }))?.body);
  await rows().updateOne(
    { _id: id },
    { $set: { body: body.replace('"filename":7', '"filename":"poison.json"') } },
  );
}

describe('a message that a service gave up', () => {
  test('is listed with the reason, read alone, and replayed', async () => {
    const id = await poison();
    const { body: list } = await owner().listParked({ params: { service } });
    expect(list.outbox).toEqual({ pending: expect.any(Number), oldest_age_seconds: expect.any(Number) });
    const [message] = list.items;
    expect(message).toEqual({
      id,
      type: scenarioRemoved.type,
      subject: 'poison.json',
      reason: expect.stringContaining('filename'),
      attempts: 1,
      parked_at: expect.any(String),
    });
    expect((await owner().getParked({ params: { service, id } })).body).toEqual(message);

    await mend(id);
    expect((await owner().replayParked({ params: { service, id } })).status).toBe(204);
    await eventually(async () => expect(await seen(id)).not.toBeNull());
    await expect(owner().getParked({ params: { service, id } })).rejects.toMatchObject({ status: 404 });
    expect((await owner().listParked({ params: { service } })).body).toMatchObject({ items: [], total: 0 });
  });

  test('that fails again is parked again', async () => {
    const id = await poison();
    const before = await parkedAt(id);
    await owner().replayParked({ params: { service, id } });
    await eventually(async () => expect((await parkedAt(id))?.getTime()).toBeGreaterThan(Number(before)));
    expect((await owner().getParked({ params: { service, id } })).status).toBe(200);
    await rows().deleteOne({ _id: id });
  });

  test('is paged, and replayed with all others', async () => {
    const ids = [await poison(), await poison(), await poison()];
    const first = (await owner().listParked({ params: { service }, query: { limit: 2 } })).body;
    expect([first.items.map(({ id }) => id), first.total]).toEqual([[ids[2], ids[1]], 3]);
    const cursor = first.next_cursor ?? '';
    const second = (await owner().listParked({ params: { service }, query: { limit: 2, cursor } })).body;
    expect([second.items.map(({ id }) => id), second.next_cursor]).toEqual([[ids[0]], null]);
    for (const id of ids) await mend(id);
    const { body } = await owner().replayAllParked({ params: { service } });
    expect(body).toEqual({ replayed: 3, left: 0 });
    for (const id of ids) await eventually(async () => expect(await seen(id)).not.toBeNull());
  });

  test('is its organization’s own, and its owner’s', async () => {
    const id = await poison();
    const lines = [
      `GET /api/parked/${service}/`,
      `GET /api/parked/${service}/${id}/`,
      `POST /api/parked/${service}/${id}/replay/`,
      `POST /api/parked/${service}/replay/`,
    ];
    const asked = async (claims: TestClaims) => {
      const headers = { authorization: `Bearer ${notes.tokens.sign(claims)}` };
      return await Promise.all(lines.map(async (line) => (await ask(notes, line, { headers })).status));
    };
    expect(await asked({ org: v7(), sub: v7() })).toEqual([200, 404, 404, 200]);
    const admin = v7();
    notes.tokens.standings.of.set(admin, { role: 'admin' });
    expect(await asked({ sub: admin, role: 'admin' })).toEqual([403, 403, 403, 403]);
    const others = (
      await ask(notes, lines[0] ?? '', {
        headers: { authorization: `Bearer ${notes.tokens.sign({ org: v7(), sub: v7() })}` },
      })
    ).body;
    expect(others).toMatchObject({ items: [], total: 0 });
    expect(await parkedAt(id)).toBeDefined();
    await rows().deleteOne({ _id: id });
  });

  test('of a service is not found in another', async () => {
    await expect(owner().listParked({ params: { service: 'intel' } })).rejects.toMatchObject({ status: 404 });
  });
});

describe('the command', () => {
  const run = async (args: string[], env = {}) => {
    const given = { env: { ...process.env, ...notes.env, ...env } };
    return await promisify(execFile)(process.execPath, [COMMAND, service, ...args], given).catch(
      (failed: { code: number; stdout: string; stderr: string }) => failed,
    );
  };

  test('lists what is parked, of whomever, and replays it', async () => {
    const [ours, unknown] = [await poison(), await poison('an organization that is not there')];
    const { stdout } = await run(['list']);
    for (const id of [ours, unknown]) expect(stdout).toContain(id);
    expect(stdout).toContain('filename');
    await mend(ours);
    expect(await run(['replay', ours])).toEqual({ stdout: 'exercises: 1 message replayed\n', stderr: '' });
    await eventually(async () => expect(await seen(ours)).not.toBeNull());
    expect(await parkedAt(unknown)).toBeDefined();
    await mend(unknown);
    await run(['replay']);
    await eventually(async () => expect(await seen(unknown)).not.toBeNull());
  }, 60_000);

  test('says when the broker is away, and everything stays parked', async () => {
    const id = await poison();
    const away = { AMQP_URL: 'amqp://127.0.0.1:9' };
    expect((await run(['list'], away)).stdout).toContain(id);
    const failed = await run(['replay', id], away);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('the broker is away') });
    expect(await parkedAt(id)).toBeDefined();
    await rows().deleteOne({ _id: id });
  }, 60_000);

  test('says what it takes', async () => {
    expect(await run(['eat'])).toMatchObject({ code: 1, stderr: expect.stringContaining('list') });
  });
});
