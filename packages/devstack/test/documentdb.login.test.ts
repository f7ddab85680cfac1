import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { documentDbAvailability } from '../src/documentdb/availability.ts';
import { type DocumentDb, startDocumentDb } from '../src/documentdb/start.ts';
import { credentials, withUser } from './documentdb.fixture.ts';

const availability = await documentDbAvailability();
const here = 'state' in availability && availability.state === 'built';

(here ? describe : describe.skip)('where it can run', () => {
  const clients: mongoose.mongo.MongoClient[] = [];
  const clientOf = (uri: string) => {
    const client = new mongoose.mongo.MongoClient(uri, { serverSelectionTimeoutMS: 5_000 });
    clients.push(client);
    return client;
  };
  let dataDir: string;
  let engine: DocumentDb;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'muster-documentdb-'));
    engine = await startDocumentDb({ dataDir, credentials, log: () => {} });
  }, 60_000);
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await engine.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }, 60_000);

  test('who is not known may find out where it is, and nothing else', async () => {
    const stranger = withUser(engine.uri, { user: '', password: '' });
    const client = await clientOf(stranger).connect();
    expect(await client.db('admin').command({ ping: 1 })).toMatchObject({ ok: 1 });
    for (const command of [
      { find: 'rows' },
      { buildInfo: 1 },
      { connectionStatus: 1 },
      { killCursors: 'rows' },
    ])
      await expect(client.db('test').command(command)).rejects.toMatchObject({ code: 13 });
    const database = client.db('admin');
    const start = { saslStart: 1, mechanism: 'SCRAM-SHA-1', payload: Buffer.from('n,,n=muster,r=abc') };
    await expect(database.command(start)).rejects.toMatchObject({ code: 334 });
    await expect(database.command({ saslContinue: 1, payload: Buffer.from('') })).rejects.toMatchObject({
      code: 18,
    });
  });

  test.each([
    ['another password', { user: 'muster', password: 'another' }],
    ['another user', { user: 'root', password: 'for a test: %/@' }],
  ])('%s does not open it', async (_what, other) => {
    const client = clientOf(withUser(engine.uri, other));
    await expect(client.db('test').command({ ping: 1 })).rejects.toMatchObject({ code: 18 });
  });

  test('a user of another database is another user', async () => {
    const elsewhere = engine.uri.replace('/?', '/test?');
    const client = clientOf(elsewhere);
    await expect(client.db('test').command({ ping: 1 })).rejects.toMatchObject({ code: 18 });
  });

  test('a stranger who says more than a login needs is hung up on', async () => {
    const socket = connect(Number(new URL(engine.uri).port), '127.0.0.1');
    socket.on('error', () => {});
    const head = Buffer.alloc(100_000);
    head.writeInt32LE(40_000_000, 0);
    socket.write(head);
    await once(socket, 'close');
  });
});
