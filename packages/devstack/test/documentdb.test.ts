import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { documentDbAvailability } from '../src/documentdb/availability.ts';
import { clusterOf, SOCKET } from '../src/documentdb/postgres.ts';
import { connectSql } from '../src/documentdb/sql.ts';
import { type DocumentDb, documentDbProgram, startDocumentDb } from '../src/documentdb/start.ts';
import { credentials, withUser } from './documentdb.fixture.ts';

const { MongoClient } = mongoose.mongo;
const availability = await documentDbAvailability();
const here = 'state' in availability && availability.state === 'built';

interface Row {
  _id: string;
  n: number;
}

/** Processes that have the cluster as their working directory, also those that see it at another place. */
function serversOf(dataDir: string): string[] {
  const lock = join(dataDir, 'postgres', 'postmaster.pid');
  const pid = existsSync(lock) ? readFileSync(lock, 'utf8').split('\n')[0] : undefined;
  return pid && existsSync(`/proc/${pid}`) ? [pid] : [];
}

async function gone(dataDir: string): Promise<boolean> {
  for (let tries = 0; tries < 100 && serversOf(dataDir).length > 0; tries++) await sleep(50);
  return serversOf(dataDir).length === 0;
}

/** A proxy that can lose what the server answers: the request arrives, the client hears nothing. */
async function losingProxy(port: number): Promise<{ server: Server; lose: (answers: number) => void }> {
  let toLose = 0;
  const server = createServer((client: Socket) => {
    const upstream = connect(port, '127.0.0.1');
    const end = () => [client, upstream].forEach((socket) => void socket.destroy());
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
    client.pipe(upstream);
    upstream.on('data', (bytes) => {
      // Heartbeats describe the topology; the other answers are those to commands.
      if (toLose > 0 && !bytes.includes('isWritablePrimary')) {
        toLose--;
        end();
      } else client.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const lose = (answers: number): void => {
    toLose = answers;
  };
  return { server, lose };
}

describe('where it can run', () => {
  const directories: string[] = [];
  const directory = () => {
    const made = mkdtempSync(join(tmpdir(), 'muster-documentdb-'));
    directories.push(made);
    return made;
  };
  const clients: mongoose.mongo.MongoClient[] = [];
  const rowsOf = async (uri: string) => {
    const client = new MongoClient(uri, { serverSelectionTimeoutMS: 20_000 });
    clients.push(client);
    await client.connect();
    return { client, rows: client.db('test').collection<Row>('rows') };
  };
  const lines: string[] = [];
  const start = (dataDir: string, port?: number) =>
    startDocumentDb({ dataDir, port, credentials, log: (line) => lines.push(line) });
  const dataDir = here ? directory() : '';
  let engine: DocumentDb;

  beforeAll(async () => {
    if (here) engine = await start(dataDir);
  }, 60_000);
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    if (here) await engine.stop();
    for (const made of directories) rmSync(made, { recursive: true, force: true });
  }, 60_000);

  test('it says whether it can run here', () => {
    expect(availability).toEqual(
      here || 'state' in availability
        ? { state: expect.stringMatching(/^(built|buildable)$/) }
        : { no: expect.stringMatching(/\w/) },
    );
  });

  if (!here) return;

  test('what was written is there after a stop and a start on the same port', async () => {
    const before = await rowsOf(engine.uri);
    await before.rows.insertOne({ _id: 'kept', n: 1 });
    await before.client.close();
    await engine.stop();
    expect(await gone(dataDir)).toBe(true);
    engine = await start(dataDir, Number(new URL(engine.uri).port));
    const { rows } = await rowsOf(engine.uri);
    expect(await rows.findOne({ _id: 'kept' })).toEqual({ _id: 'kept', n: 1 });
  }, 60_000);

  test('a second engine shares the programs, not the data; the same data is refused', async () => {
    const second = await start(directory());
    const { rows } = await rowsOf(second.uri);
    expect(await rows.countDocuments()).toBe(0);
    await second.stop();
    await expect(start(dataDir)).rejects.toThrow('in use by process');
  }, 60_000);

  test('nothing is left behind when the process that started it is killed', async () => {
    const data = directory();
    const { command, args, env } = documentDbProgram({ dataDir: data, credentials });
    const script = `
      const { spawn } = require('node:child_process');
      spawn(${JSON.stringify(command)}, ${JSON.stringify(args)}, { stdio: ['pipe', 'inherit', 'inherit'], detached: true });`;
    const parent = spawn(process.execPath, ['-e', script], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    await firstLine(parent);
    expect(serversOf(data)).toHaveLength(1);
    parent.kill('SIGKILL');
    expect(await gone(data)).toBe(true);
    expect(readFileSync('/proc/mounts', 'utf8')).not.toContain(data);
  }, 60_000);

  test('a killed bridge takes the database with it, and nothing acknowledged is lost', async () => {
    const data = directory();
    const { command, args, env } = documentDbProgram({ dataDir: data, credentials });
    const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    const { rows, client } = await rowsOf(withUser(JSON.parse(await firstLine(child)).uri));
    await rows.insertMany(Array.from({ length: 100 }, (_, n) => ({ _id: `row-${n}`, n })));
    child.kill('SIGKILL');
    expect(await gone(data)).toBe(true);
    await client.close();
    const again = await start(data);
    const after = await rowsOf(again.uri);
    expect(await after.rows.countDocuments()).toBe(100);
    await after.client.close();
    await again.stop();
  }, 60_000);

  test('clients do not notice that the database was killed', async () => {
    const { client, rows } = await rowsOf(engine.uri);
    await rows.insertMany([
      { _id: 'single', n: 0 },
      { _id: 'whole', n: 0 },
    ]);
    let running = true;
    const done = [0, 0, 0, 0, 0];
    const work = async (worker: number) => {
      while (running) {
        await rows.updateOne({ _id: 'single' }, { $inc: { n: 1 } });
        const session = client.startSession();
        await session.withTransaction(() =>
          rows.updateOne({ _id: 'whole' }, { $inc: { n: 1 } }, { session }),
        );
        await session.endSession();
        done[worker] = (done[worker] ?? 0) + 1;
      }
    };
    const workers = done.map((_, worker) => work(worker));
    for (let kills = 0; kills < 2; kills++) {
      await sleep(700);
      const before = [...done];
      for (const pid of serversOf(dataDir)) process.kill(Number(pid), 'SIGKILL');
      // The driver repeats a write once: another kill may come when each has got through.
      while (done.some((count, worker) => count < (before[worker] ?? 0) + 2)) await sleep(50);
    }
    running = false;
    await Promise.all(workers);
    const n = done.reduce((sum, count) => sum + count, 0);
    expect(await rows.findOne({ _id: 'single' })).toEqual({ _id: 'single', n });
    expect(await rows.findOne({ _id: 'whole' })).toEqual({ _id: 'whole', n });
    expect(lines.filter((line) => line.includes('starting it again')).length).toBeGreaterThan(0);
  }, 60_000);

  test('a write and a commit whose answers were lost take effect once', async () => {
    const { server, lose } = await losingProxy(Number(new URL(engine.uri).port));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { client, rows } = await rowsOf(withUser(`mongodb://127.0.0.1:${port}/?directConnection=true`));
    await rows.insertOne({ _id: 'once', n: 0 });
    lose(1);
    expect(await rows.updateOne({ _id: 'once' }, { $inc: { n: 1 } })).toMatchObject({ modifiedCount: 1 });
    lose(1);
    expect(await rows.findOneAndUpdate({ _id: 'once' }, { $inc: { n: 1 } })).toEqual({ _id: 'once', n: 1 });
    lose(1);
    await rows.insertOne({ _id: 'inserted', n: 1 });
    const session = client.startSession();
    session.startTransaction();
    await rows.updateOne({ _id: 'once' }, { $inc: { n: 1 } }, { session });
    lose(1);
    await session.commitTransaction();
    await session.endSession();
    expect(await rows.findOne({ _id: 'once' })).toEqual({ _id: 'once', n: 3 });
    await client.close();
    server.close();
  }, 60_000);

  test.each([
    ['one value', { n: 1 }],
    ['one of several values', { tags: 'a' }],
  ])('an index on %s is walked in its order: what is sorted by it is not sorted again', async (_by, by) => {
    const { rows } = await rowsOf(engine.uri);
    await rows.insertOne({ _id: `walked-${Object.keys(by)}`, n: 1, tags: ['a', 'b'] } as Row);
    const [field = ''] = Object.keys(by);
    const hint = { [field]: 1, _id: -1 };
    await rows.createIndex(hint as never);
    const filter = { ...by, _id: { $lt: 'x' } };
    const find = { find: 'rows', filter, sort: { _id: -1 }, limit: 5, hint };
    const sql = await connectSql(join(clusterOf(dataDir), SOCKET));
    await sql.exec('SET search_path TO documentdb_core, documentdb_api_catalog, public');
    const text = `EXPLAIN SELECT document FROM bson_aggregation_find('test', '${JSON.stringify(find)}')`;
    const plan = (await sql.query({ name: 'plan', text }, [])).map(String).join('\n');
    sql.close();
    expect(plan).toContain(`Index Scan using "${field}_1__id_-1"`);
    expect(plan).not.toContain('Sort');
  });

  test('a transaction is undone when its client goes', async () => {
    const { client, rows } = await rowsOf(engine.uri);
    await rows.insertOne({ _id: 'left', n: 0 });
    const session = client.startSession();
    session.startTransaction();
    await rows.updateOne({ _id: 'left' }, { $inc: { n: 1 } }, { session });
    await client.close();
    const other = await rowsOf(engine.uri);
    await other.rows.updateOne({ _id: 'left' }, { $inc: { n: 10 } }, { maxTimeMS: 5_000 });
    expect(await other.rows.findOne({ _id: 'left' })).toEqual({ _id: 'left', n: 10 });
  });

  test('it hangs up on what is not the protocol and goes on', async () => {
    const socket = connect(Number(new URL(engine.uri).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'close');
    const { rows } = await rowsOf(engine.uri);
    expect(await rows.countDocuments({ _id: 'none' })).toBe(0);
  });

  test('its files belong to it alone', () => {
    const mode = execFileSync('stat', ['-c', '%a', join(dataDir, 'postgres')], { encoding: 'utf8' }).trim();
    expect(mode).toBe('700');
  });
});

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the child has no standard output');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return line;
}
