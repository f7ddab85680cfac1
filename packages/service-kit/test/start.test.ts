import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '@muster/devstack';
import { eventually } from '@muster/testing';
import { z } from 'zod';
import { defineService, startService, work } from '../src/index.ts';
import { connectMongo, probeTransactions } from '../src/mongo/connection.ts';
import { prepareCollection } from '../src/mongo/model.ts';
import { gate, type Note, next, service as notes } from './notes.fixture.ts';
import { ask, type Notes, startNotes } from './stand.fixture.ts';

let service: Notes;
beforeAll(async () => {
  service = await startNotes();
});
afterAll(async () => {
  await service?.stop();
});

/** Runs the notes as a process of their own, on the engines of these tests. */
function run(variables: Record<string, string | undefined>) {
  const main = fileURLToPath(new URL('notes.main.ts', import.meta.url));
  const env = { ...service.env, ...variables };
  const child: ChildProcess = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { out: '', err: '' };
  child.stdout?.on('data', (chunk) => {
    output.out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    output.err += chunk;
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }));
  return { child, ended };
}

describe('a start that cannot be', () => {
  const taken = () => new URL(service.url).port;

  test.each([
    ['variables that are missing', () => ({ AMQP_URL: '', REDIS_URL: '' }), /AMQP_URL \(.*REDIS_URL \(/],
    ['an address that is taken', () => ({ SERVICE_PORT: taken() }), /EADDRINUSE.*:\d+/],
    [
      'development mode for everyone',
      () => ({ SERVICE_HOST: '0.0.0.0' }),
      /refuses to listen on 0\.0\.0\.0: use MUSTER_MODE=production/,
    ],
    [
      'a MongoDB address that is none',
      () => ({ MONGODB_URI: 'postgres://x' }),
      /this MONGODB_URI: .*mongodb:/,
    ],
  ])('says why in one line and ends with 1: %s', async (_what, variables, reason) => {
    const { code, err } = await run(variables()).ended;
    expect(err).toMatch(/^exercises cannot start: [^\n]+\n$/);
    expect(err).toMatch(reason);
    expect(code).toBe(1);
  });

  test('names work that no service lists: nobody would do it', async () => {
    const orphan = work({ kind: 'orphan', payload: z.strictObject({}), run: async () => null });
    await expect(startService(notes, service.env)).rejects.toThrow(
      'No service lists this work, so nobody would do it: orphan. Add it to `work` in service.ts',
    );
    expect(defineService({ ...notes, work: [...notes.work, orphan] }).work).toContain(orphan);
  });
});

test('a process serves until it is told to stop, and then ends with 0', async () => {
  const port = String(await freePort());
  const { child, ended } = run({ SERVICE_PORT: port, LOG_LEVEL: 'info' });
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => expect((await ask({ url }, 'GET /ready')).status).toBe(200), 20_000);
  expect((await ask({ url }, 'POST /api/notes/', { json: { text: 'from afar' } })).status).toBe(201);
  child.kill('SIGTERM');
  child.kill('SIGTERM');
  const { code, out, err } = await ended;
  expect([code, err]).toEqual([0, '']);
  const said = out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).msg as string);
  expect(said).toEqual(expect.arrayContaining(['ready', 'stopping', 'stopped']));
});

test('a command of one replica is replayed by another, and its event is handled once', async () => {
  const replica = await startService(notes, { ...service.env, SERVICE_PORT: '0' });
  const request = { json: { text: 'twins' }, headers: { 'idempotency-key': 'of-two-replicas' } };
  const held = gate();
  next.waits = held;
  const first = ask<Note>(service, 'POST /api/notes/', request);
  await held.reached;
  expect((await ask(replica, 'POST /api/notes/', request)).status).toBe(409);
  held.open();
  const { body } = await first;
  expect((await ask(replica, 'POST /api/notes/', request)).body).toEqual(body);
  const sightings = service.database.collection('sightings');
  await eventually(async () => expect(await sightings.countDocuments({ text: body.id })).toBe(1));
  await replica.stop();
  expect(await sightings.countDocuments({ text: body.id })).toBe(1);
});

describe('the database', () => {
  test('that does not answer is named by its variable, without its password', async () => {
    const uri = `mongodb://user:hunter2@127.0.0.1:${await freePort()}/?directConnection=true`;
    const failed = await connectMongo(uri, 'x', { patienceMs: 300 }).catch((error: Error) => error.message);
    expect(failed).toMatch(/^MongoDB cannot be used with this MONGODB_URI: [^\n]*ECONNREFUSED[^\n]*$/);
    expect(failed).not.toContain('hunter2');
  });

  test('that keeps its word passes the probe, which leaves nothing', async () => {
    await probeTransactions(service.runtime.connection);
    expect(await service.database.collection('engine_probes').countDocuments()).toBe(0);
  });

  test('that says an abort was done and keeps the rows is refused', async () => {
    const connection = await connectMongo(service.env.MONGODB_URI ?? '', service.env.MONGODB_DB ?? '');
    const startSession = connection.startSession.bind(connection);
    connection.startSession = async (options) => {
      const session = await startSession(options);
      session.abortTransaction = () => session.commitTransaction();
      return session;
    };
    await expect(probeTransactions(connection)).rejects.toThrow(
      'This MongoDB answers ok to an aborted transaction but keeps its rows: choose another engine',
    );
    expect(await service.database.collection('engine_probes').countDocuments()).toBe(0);
    await connection.close();
  });

  test('that has no transactions is refused with what to do', async () => {
    const connection = await connectMongo(service.env.MONGODB_URI ?? '', service.env.MONGODB_DB ?? '');
    const startSession = connection.startSession.bind(connection);
    connection.startSession = async (options) => {
      const session = await startSession(options);
      session.startTransaction = () => {
        throw new Error('Transaction numbers are only allowed on a replica set member or mongos');
      };
      return session;
    };
    await expect(probeTransactions(connection)).rejects.toThrow(/cannot run transactions: use a replica set/);
    await connection.close();
  });

  test('has the indexes that were declared, or the start ends', async () => {
    const { connection } = service.runtime;
    const indexes = await service.database.collection('notes').indexes();
    expect(indexes.map(({ key }) => key)).toContainEqual({ org_id: 1, text: 1 });
    const keys = await service.database.collection('idempotency_keys').indexes();
    expect(keys).toContainEqual(expect.objectContaining({ key: { expires_at: 1 }, expireAfterSeconds: 0 }));
    const declared = notes.collections[0];
    if (!declared) throw new Error('The notes have no collection');
    const model = connection.model(declared.name);
    const listIndexes = model.listIndexes.bind(model);
    model.listIndexes = async () => (await listIndexes()).filter(({ name }) => name === '_id_');
    await expect(prepareCollection(connection, declared)).rejects.toThrow(
      'Collection notes misses indexes: {"org_id":1,"text":1}',
    );
    model.listIndexes = listIndexes;
  });
});
