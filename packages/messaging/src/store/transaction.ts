import { type Connection, mongo } from 'mongoose';
import { isEngineDown } from '../process/engine.ts';

/** Lets so much work run at once; what comes after waits for its turn, in order. */
export function turns(most: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running < most) running += 1;
    else await new Promise<void>((begin) => waiting.push(begin));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/**
 * Half of a service's connections: a transaction that has begun must find one for its next step, or all of them are
 * taken by those that wait to begin.
 */
const MOST_AT_ONCE = 10;
const lanes = new WeakMap<Connection, ReturnType<typeof turns>>();

function laneOf(connection: Connection): ReturnType<typeof turns> {
  const known = lanes.get(connection);
  if (known) return known;
  const made = turns(MOST_AT_ONCE);
  lanes.set(connection, made);
  return made;
}

/**
 * Runs work in one transaction, `w:majority, j:true`, read concern snapshot. The driver repeats the work on a write
 * conflict, so it must only touch the database, one operation after the other.
 * @throws what the work raises, after the abort; MongoNetworkError at once when MongoDB is away
 */
export async function inTransaction<T>(
  connection: Connection,
  work: (session: mongo.ClientSession) => Promise<T>,
): Promise<T> {
  return await laneOf(connection)(() => transacted(connection, work));
}

async function transacted<T>(
  connection: Connection,
  work: (session: mongo.ClientSession) => Promise<T>,
): Promise<T> {
  // Mongoose's own would wait ten seconds for a connection that is away, and then not say that it is.
  const session = connection.getClient().startSession();
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

/**
 * What work in a transaction raises when somebody else changed a row since it read it: the whole transaction is run
 * again on what is there now, as after a write conflict that the engine saw itself.
 */
export function lostRace(): Error {
  const error = new mongo.MongoServerError({ message: 'somebody else was faster', code: 112 });
  error.addErrorLabel(mongo.MongoErrorLabel.TransientTransactionError);
  return error;
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
