import type { Connection, mongo } from 'mongoose';

/**
 * Runs work in one transaction, `w:majority, j:true`, read concern snapshot. The driver repeats the work on a write
 * conflict, so it must only touch the database, one operation after the other.
 * @throws what the work raises, after the abort
 */
export async function inTransaction<T>(
  connection: Connection,
  work: (session: mongo.ClientSession) => Promise<T>,
): Promise<T> {
  const session = await connection.startSession();
  try {
    return await session.withTransaction(() => work(session), {
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority', journal: true },
    });
  } finally {
    await session.endSession();
  }
}
