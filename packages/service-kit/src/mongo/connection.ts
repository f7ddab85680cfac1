import { randomUUID } from 'node:crypto';
import mongoose, { type Connection } from 'mongoose';

mongoose.set('strictQuery', 'throw');
mongoose.set('sanitizeFilter', true);

const DEADLINE_MS = 20_000;

/** Opens a service's connection to its own database. Raises when no primary answers in `patienceMs`. */
export async function connectMongo(uri: string, database: string, patienceMs = 30_000): Promise<Connection> {
  const connection = mongoose.createConnection(uri, {
    dbName: database,
    autoIndex: false,
    autoCreate: false,
    maxPoolSize: 20,
    serverSelectionTimeoutMS: patienceMs,
    socketTimeoutMS: DEADLINE_MS * 2,
    timeoutMS: undefined,
    writeConcern: { w: 'majority', journal: true },
  });
  await connection.asPromise();
  return connection;
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
