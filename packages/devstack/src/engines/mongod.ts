import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { spawnChild } from '../processes/child.ts';
import { supervise } from '../processes/supervisor.ts';
import { type Engine, type Place, USER } from './engine.ts';
import { whenReady } from './readiness.ts';

const REPLICA_SET = 'muster';
/** MongoDB's codes for a command and a user that it does not admit. */
const NOT_ADMITTED = [13, 18];

interface ReplicaSetConfig {
  _id: string;
  version: number;
  members: { _id: number; host: string }[];
}

/** The URI of a MongoDB of ours. */
export function mongoUri(port: number, password: string): string {
  return `mongodb://${USER}:${password}@127.0.0.1:${port}/?directConnection=true`;
}

/**
 * Runs a MongoDB of our own as a replica set of one, which transactions need, bound to the loopback, for one user.
 * @param program path of mongod
 * @returns the engine, answering as primary; `way` and `detail` are the caller's to say
 * @throws Error when it is not primary within 60 s
 */
export async function startMongod(program: string, place: Place): Promise<Omit<Engine, 'way' | 'detail'>> {
  const port = await place.port('mongodb');
  const logFile = join(place.logDir, 'mongodb.log');
  const password = place.passwords.MONGODB_PASSWORD;
  const uri = mongoUri(port, password);
  const keyFile = join(place.dataDir, 'key');
  const args = [
    '--replSet',
    REPLICA_SET,
    '--port',
    String(port),
    '--bind_ip',
    '127.0.0.1',
    '--dbpath',
    place.dataDir,
    // The key by which members of a replica set know each other turns users on, too.
    '--keyFile',
    keyFile,
  ];
  // Unix sockets would be left behind by a crash, and their default place is shared by all.
  if (process.platform !== 'win32') args.push('--nounixsocket');
  mkdirSync(place.dataDir, { recursive: true });
  writeFileSync(keyFile, password, { mode: 0o600 });
  const supervised = supervise({
    name: 'mongodb',
    report: place.report,
    launch: () => {
      const child = spawnChild({ name: 'mongodb', command: program, args, logFile });
      return whenReady(child, () => becomePrimary(uri, `127.0.0.1:${port}`, password), 60_000, logFile);
    },
  });
  await supervised.start();
  return { name: 'mongodb', uri, start: supervised.start, stop: supervised.stop, kill: supervised.kill };
}

/**
 * Makes a server the primary of its own replica set, and {@link USER} its user when it has none, as one that is new or
 * that kept its data before there were passwords.
 * @param host address the server reaches itself by
 * @throws Error while it is not primary yet
 */
async function becomePrimary(uri: string, host: string, password: string): Promise<void> {
  try {
    await withAdmin(uri, (admin) => initiate(admin, host));
  } catch (error) {
    if (!NOT_ADMITTED.includes((error as mongoose.mongo.MongoServerError).code as number)) throw error;
    // A server without users lets its own machine make the first one, and nothing else.
    await withAdmin(uri.replace(`${USER}:${password}@`, ''), async (admin) => {
      await initiate(admin, host);
      await admin.command({ createUser: USER, pwd: password, roles: ['root'] });
    });
  }
}

/** Initiates the replica set when it is new, corrects its address when it has moved to another port. */
async function initiate(admin: mongoose.mongo.Db, host: string): Promise<void> {
  if (await isPrimary(admin)) return;
  const config = await admin.command({ replSetGetConfig: 1 }).then(
    (answer) => answer.config as ReplicaSetConfig,
    () => undefined,
  );
  const members = [{ _id: 0, host }];
  if (config === undefined) {
    await admin.command({ replSetInitiate: { _id: REPLICA_SET, members } });
  } else if (config.members[0]?.host !== host) {
    const moved = { ...config, version: config.version + 1, members };
    await admin.command({ replSetReconfig: moved, force: true });
  }
  if (!(await isPrimary(admin))) throw new Error('it is not primary yet');
}

async function isPrimary(admin: mongoose.mongo.Db): Promise<boolean> {
  return (await admin.command({ hello: 1 })).isWritablePrimary === true;
}

/**
 * Asks a MongoDB, or an engine that speaks its protocol, whether it serves.
 * @returns its version
 * @throws Error when it does not answer
 */
export async function pingMongo(uri: string): Promise<string> {
  return withAdmin(uri, async (admin) => String((await admin.command({ buildInfo: 1 })).version));
}

async function withAdmin<T>(uri: string, work: (admin: mongoose.mongo.Db) => Promise<T>): Promise<T> {
  const client = new mongoose.mongo.MongoClient(uri, {
    serverSelectionTimeoutMS: 2_000,
    connectTimeoutMS: 2_000,
  });
  try {
    await client.connect();
    return await work(client.db('admin'));
  } finally {
    await client.close();
  }
}
