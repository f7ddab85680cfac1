import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import {
  type FaultProxy,
  faultProxy,
  freePort,
  type TestEngines,
  targetOf,
  testEngines,
} from '@muster/devstack';
import { eventually } from '@muster/testing';
import mongoose from 'mongoose';
import { watchMongo } from '../src/mongo/watch.ts';
import { hangs, monitors } from './hung-driver.fixture.ts';

// Periods of half a second: what takes half a minute outside takes a few seconds here.
const PERIOD_MS = 500;
const QUERY = `directConnection=true&heartbeatFrequencyMS=${PERIOD_MS}&connectTimeoutMS=${PERIOD_MS}`;
const LIMIT_MS = 3 * PERIOD_MS;

let engines: TestEngines;
let proxy: FaultProxy;
let client: mongoose.mongo.MongoClient | undefined;
let child: ChildProcess | undefined;

beforeAll(async () => {
  engines = await testEngines('watch');
  proxy = await faultProxy(targetOf(engines.mongodbUri));
});
afterEach(async () => {
  proxy.set('pass');
  await client?.close();
  child?.kill('SIGKILL');
});
afterAll(async () => {
  await proxy?.close();
  await engines?.cleanup();
});

/** A watched client behind the proxy, and what its watch has said. */
async function watched(options: mongoose.mongo.MongoClientOptions = {}) {
  const uri = through(proxy.port);
  client = new mongoose.mongo.MongoClient(uri, { serverSelectionTimeoutMS: PERIOD_MS, ...options });
  await client.connect();
  const said: string[] = [];
  watchMongo(client, (reason) => said.push(reason));
  return { client, said, database: client.db(engines.mongodbDb) };
}

test('a monitor that hangs is noticed after three periods; without a watch nothing would ever be selected again', async () => {
  const { said, database } = await watched();
  await hangs(monitors);
  proxy.set('drop');
  const cut = database.command({ ping: 1 }).catch(() => undefined);
  await sleep(100);
  proxy.set('reset');
  await cut;
  proxy.set('pass');
  await eventually(() => expect(said).toEqual([expect.stringMatching(/monitor .* says nothing/)]), 10_000);
  await expect(database.command({ ping: 1 })).rejects.toThrow();
});

test('a command that hangs is noticed', async () => {
  const { said, database } = await watched({ socketTimeoutMS: 1_000 });
  const hung = hangs((_connection, command) => 'count' in command);
  void database.command({ count: 'nothing' }).catch(() => undefined);
  await hung;
  await eventually(() => expect(said).toEqual([expect.stringMatching(/command .* no end/)]), 10_000);
});

test('a server that is selected no more although it answers is noticed', async () => {
  const { said, client } = await watched();
  const { topology } = client as unknown as { topology: { selectServer(): Promise<never> } };
  topology.selectServer = () =>
    Promise.reject(new mongoose.mongo.MongoServerSelectionError('not selected', {} as never));
  await eventually(() => expect(said).toEqual([expect.stringMatching(/does not choose it/)]), 10_000);
});

test.each(['reset', 'blackhole'] as const)('a database that is away (%s) is no reason', async (mode) => {
  const { said, database } = await watched({ socketTimeoutMS: PERIOD_MS });
  proxy.set(mode);
  const asking = database.command({ ping: 1 }).catch(() => undefined);
  await sleep(2 * LIMIT_MS);
  await asking;
  proxy.set('reset');
  proxy.set('pass');
  await eventually(async () => expect(await database.command({ ping: 1 })).toMatchObject({ ok: 1 }));
  expect(said).toEqual([]);
});

test('a process that stood still is no reason', async () => {
  const { said } = await watched({ socketTimeoutMS: PERIOD_MS });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * LIMIT_MS);
  await sleep(LIMIT_MS);
  expect(said).toEqual([]);
});

test('a service whose monitor hangs says so in one line and ends with 75, so that it is started again', async () => {
  const port = await freePort();
  child = notes(port);
  const lines: string[] = [];
  child.stdout?.on('data', (chunk) => lines.push(...String(chunk).split('\n').filter(Boolean)));
  const ended = once(child, 'close');
  const url = `http://127.0.0.1:${port}/ready`;
  await eventually(async () => expect((await fetch(url)).status).toBe(200), 20_000);
  child.kill('SIGUSR2');
  const [code] = await ended;
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    expect.stringMatching(
      /monitor of MongoDB .* says nothing for .*: this process ends, to be started again$/,
    ),
  ]);
  expect(code).toBe(75);
});

function notes(port: number): ChildProcess {
  const main = fileURLToPath(new URL('hung-driver.main.ts', import.meta.url));
  const {
    mongodbDb: MONGODB_DB,
    amqpUrl: AMQP_URL,
    redisUrl: REDIS_URL,
    redisPrefix: REDIS_PREFIX,
  } = engines;
  const env = {
    MONGODB_DB,
    AMQP_URL,
    REDIS_URL,
    REDIS_PREFIX,
    MUSTER_MODE: 'development',
    LOG_LEVEL: 'fatal',
    MONGODB_URI: through(proxy.port),
    JWKS_URL: 'http://127.0.0.1:1/jwks.json',
    SERVICE_SECRET: 'only for tests: thirty-two characters',
    KEY_ENCRYPTION_KEY: `test:${Buffer.alloc(32).toString('base64')}`,
    SERVICE_PORT: String(port),
  };
  return spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The engine's address behind the proxy, with the name and password that the engine asks for. */
function through(port: number): string {
  const uri = new URL(engines.mongodbUri);
  uri.hostname = '127.0.0.1';
  uri.port = String(port);
  uri.search = QUERY;
  return uri.href;
}
