import { CommandError, codeOf } from './codes.ts';
import type { Pool } from './pool.ts';
import { int8, MARK, wasCommitted } from './schema.ts';
import { SqlError, SqlGone } from './sql.messages.ts';
import type { Sql } from './sql.ts';

const IDLE_MS = 60_000;
const TRANSIENT = ['TransientTransactionError'];
/**
 * Read committed would let a concurrent update win silently. MongoDB refuses a conflicting write at once; here
 * it waits for the other transaction, so the wait has an end.
 */
const BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ; SET LOCAL lock_timeout = '5s'";

interface Transaction {
  number: bigint;
  sql: Sql;
  client: object;
  used: number;
  ended: boolean;
  /** Its statements run one after the other. */
  turn: Promise<unknown>;
}

/** A session's transaction as one command names it. */
export interface Named {
  session: Buffer;
  number: bigint;
  starts: boolean;
  client: object;
}

/** The sessions' open transactions: each has a database connection to itself. */
export interface Transactions {
  /**
   * Runs a statement's work in the named transaction, which is begun when the command starts it. When the work
   * raises, everything in the transaction is undone. Raises CommandError 251 when it is not open.
   */
  within<T>(named: Named, work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Raises 251 when there is nothing to commit; a commit that succeeded before succeeds again. */
  commit(named: Named): Promise<void>;
  /** Raises 251 when it is not open. */
  abort(named: Named): Promise<void>;
  /** Undoes what a session left open. */
  endSession(session: Buffer): Promise<void>;
  /** Undoes what a client that went away left open. */
  leave(client: object): void;
  close(): void;
}

export function createTransactions(pool: Pool): Transactions {
  const open = new Map<string, Transaction>();
  const keyOf = (session: Buffer): string => session.toString('latin1');

  const end = (key: string, transaction: Transaction): void => {
    transaction.ended = true;
    if (open.get(key) === transaction) open.delete(key);
  };
  const rollback = async (key: string, transaction: Transaction): Promise<void> => {
    if (transaction.ended) return;
    end(key, transaction);
    await transaction.sql.exec('ROLLBACK').catch(() => transaction.sql.close());
    pool.release(transaction.sql);
  };
  const inTurn = <T>(transaction: Transaction, work: () => Promise<T>): Promise<T> => {
    const result = transaction.turn.then(work);
    transaction.turn = result.catch(() => {});
    return result;
  };
  const begin = async (named: Named): Promise<Transaction> => {
    const key = keyOf(named.session);
    const previous = open.get(key);
    if (previous && previous.number >= named.number) throw missing(named);
    if (previous) await inTurn(previous, () => rollback(key, previous));
    const sql = await pool.acquire();
    sql.exec(BEGIN).catch(() => sql.close());
    const { number, client } = named;
    const transaction = { number, sql, client, used: Date.now(), ended: false, turn: Promise.resolve() };
    open.set(key, transaction);
    return transaction;
  };
  const find = (named: Named): Transaction => {
    const transaction = open.get(keyOf(named.session));
    if (transaction?.number !== named.number) throw missing(named);
    return transaction;
  };
  const sweep = setInterval(() => {
    for (const [key, transaction] of open) {
      const stale = Date.now() - transaction.used > IDLE_MS;
      if (stale) void inTurn(transaction, () => rollback(key, transaction));
    }
  }, 5_000).unref();

  return {
    async within(named, work) {
      const transaction = named.starts ? await begin(named) : find(named);
      return inTurn(transaction, async () => {
        if (transaction.ended) throw missing(named);
        transaction.used = Date.now();
        transaction.client = named.client;
        try {
          return await work(transaction.sql);
        } catch (error) {
          await rollback(keyOf(named.session), transaction);
          throw labelled(error);
        }
      });
    },
    async commit(named) {
      const key = keyOf(named.session);
      const transaction = open.get(key);
      if (transaction?.number !== named.number) return recall(named);
      await inTurn(transaction, () => (transaction.ended ? recall(named) : finish(named, transaction)));
    },
    async abort(named) {
      const transaction = find(named);
      await inTurn(transaction, () => rollback(keyOf(named.session), transaction));
    },
    async endSession(session) {
      const transaction = open.get(keyOf(session));
      if (transaction) await inTurn(transaction, () => rollback(keyOf(session), transaction));
    },
    leave(client) {
      for (const [key, transaction] of open) {
        if (transaction.client === client) void inTurn(transaction, () => rollback(key, transaction));
      }
    },
    close: () => clearInterval(sweep),
  };

  /** Commits together with the mark that tells so afterwards. */
  async function finish(named: Named, transaction: Transaction): Promise<void> {
    const { sql } = transaction;
    end(keyOf(named.session), transaction);
    const marked = sql.query(MARK, [named.session, int8(named.number)]);
    const committed = sql.exec('COMMIT');
    const [mark, tag] = await Promise.allSettled([marked, committed]);
    pool.release(sql);
    if (tag.status === 'rejected') throw tag.reason;
    if (mark.status === 'rejected') throw labelled(mark.reason);
    if (tag.value !== 'COMMIT') throw missing(named);
  }

  /** Answers a commit of a transaction that is not open: well when it was committed, 251 otherwise. */
  async function recall(named: Named): Promise<void> {
    const sql = await pool.acquire();
    try {
      if (!(await wasCommitted(sql, named.session, named.number))) throw missing(named);
    } finally {
      pool.release(sql);
    }
  }
}

function missing(named: Named): CommandError {
  return new CommandError(251, `transaction ${named.number} of this session is not open`, TRANSIENT);
}

/** Adds the label that makes a driver run the whole transaction again, where that can help. */
function labelled(error: unknown): unknown {
  if (error instanceof SqlGone) return new CommandError(91, error.message, TRANSIENT);
  const code =
    error instanceof SqlError ? codeOf(error.state) : error instanceof CommandError ? error.code : 0;
  if (code === 112) return new CommandError(112, `write conflict: ${(error as Error).message}`, TRANSIENT);
  if (code === 91) return new CommandError(91, (error as Error).message, TRANSIENT);
  // A collection made by another since this transaction began is invisible to it: on the next try it is there.
  const unseen = error instanceof SqlError && /Unable to create the specified collection/.test(error.message);
  if (unseen) return new CommandError(112, 'write conflict: the collection was made meanwhile', TRANSIENT);
  return error;
}
