import { randomUUID } from 'node:crypto';
import mongoose, { type Connection } from 'mongoose';
import { type GiveUp, watchMongo } from './watch.ts';

mongoose.set('strictQuery', 'throw');
mongoose.set('sanitizeFilter', true);

/** Less than a request has (25 s), so that it can still say what is wrong. */
const DEADLINE_MS = 20_000;

/**
 * Opens a service's connection to its own database.
 * @param options.patienceMs how long a primary may be missing, now and later, before an operation gives up
 * @param options.silenceMs how long a server may work on an operation without a word; 0 for as long as it takes
 * @param options.giveUp called when the driver hangs, so that nothing can be expected of the connection any more
 * @throws Error with one line that says why MongoDB cannot be used
 */
export async function connectMongo(
  uri: string,
  database: string,
  options: { patienceMs?: number; silenceMs?: number; giveUp?: GiveUp } = {},
): Promise<Connection> {
  const { patienceMs = DEADLINE_MS, silenceMs = DEADLINE_MS * 2, giveUp } = options;
  const connection = mongoose.createConnection(uri, {
    dbName: database,
    autoIndex: false,
    autoCreate: false,
    maxPoolSize: 20,
    serverSelectionTimeoutMS: patienceMs,
    // Also how long a silent server takes to be noticed. What the URI says would be overruled.
    ...(!/[?&]connectTimeoutMS=/i.test(uri) && { connectTimeoutMS: DEADLINE_MS / 2 }),
    socketTimeoutMS: silenceMs,
    writeConcern: { w: 'majority', journal: true },
  });
  try {
    await connection.asPromise();
    if (giveUp) watchMongo(connection.getClient(), giveUp);
    return connection;
  } catch (cause) {
    await connection.destroy();
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`MongoDB cannot be used with this MONGODB_URI: ${reason}`, { cause });
  }
}

/**
 * Refuses an engine that would lie: a row inserted in a transaction that is aborted must not be there.
 * Some engines answer `ok` to an abort without doing it.
 */
export async function probeTransactions(connection: Connection): Promise<void> {
  const probes = connection.collection<{ _id: string }>('engine_probes');
  await connection.createCollection('engine_probes').catch(() => undefined);
  const probe = { _id: randomUUID() };
  const session = await connection.startSession();
  try {
    session.startTransaction();
    await probes.insertOne(probe, { session });
    await session.abortTransaction();
  } catch (cause) {
    throw new Error(
      'This MongoDB cannot run transactions: use a replica set (rs.initiate) or a managed cluster',
      { cause },
    );
  } finally {
    await session.endSession();
  }
  if (await probes.findOne({ _id: probe._id })) {
    await probes.deleteOne({ _id: probe._id });
    throw new Error(
      'This MongoDB answers ok to an aborted transaction but keeps its rows: choose another engine',
    );
  }
}
