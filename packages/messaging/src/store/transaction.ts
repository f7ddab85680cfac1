import { type Connection, mongo } from 'mongoose';
import { isEngineDown } from '../process/engine.ts';

/**
 * Runs work in one transaction, `w:majority, j:true`, read concern snapshot. The driver repeats the work on a write
 * conflict, so it must only touch the database, one operation after the other.
 * @throws what the work raises, after the abort; MongoNetworkError at once when MongoDB is away
 */
export async function inTransaction<T>(
  connection: Connection,
  work: (session: mongo.ClientSession) => Promise<T>,
): Promise<T> {
  const session = await connection.startSession();
  try {
    return await session.withTransaction(() => work(session).catch(withoutRepeats), {
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority', journal: true },
    });
  } catch (error) {
    throw isLostCommit(error) ? away('cut off in a commit', error) : error;
  } finally {
    await session.endSession();
  }
}

/** The driver would repeat work for two minutes while MongoDB is away; who waits for it wants to know at once. */
function withoutRepeats(error: unknown): never {
  throw isEngineDown(error) ? away('cut off in a transaction', error) : error;
}

const away = (message: string, cause: unknown) =>
  new mongo.MongoNetworkError(message, { cause: cause as Error });

/** The driver (7.8) trips over a connection that breaks under a commit: its error is raw, without the labels it reads. */
const isLostCommit = (error: unknown): boolean =>
  error instanceof TypeError && error.message.includes('hasErrorLabel');
