import { setTimeout as sleep } from 'node:timers/promises';
import { type Document, deserialize } from 'bson';
import type { Call } from './call.ts';
import { CommandError, codeOf, unpacked } from './codes.ts';
import type { Cursors } from './cursors.ts';
import { getMore } from './cursors.ts';
import { type Duplicate, describeDuplicate, lostUpsert } from './duplicates.ts';
import { createIndexes, dropIndexes } from './indexes.ts';
import type { Pool } from './pool.ts';
import { fieldsOf } from './raw.ts';
import { type Row, SqlError } from './sql.messages.ts';
import type { Sql } from './sql.ts';
import { checkDatabase, DROP, DROP_DATABASE, type Shape, translationOf } from './statements.ts';
import type { Named, Transactions } from './transactions.ts';
import type { Turns } from './turns.ts';

/** What answers commands: connections for single ones, transactions with theirs, and open cursors. */
export interface Engine {
  pool: Pool;
  transactions: Transactions;
  cursors: Cursors;
  /** For commands that run again. */
  turns: Turns;
}

export type Answer = Buffer | Document;
type Handler = (engine: Engine, call: Call, sql: Sql) => Promise<Answer>;

/** Commands that need more than one SQL statement, or whose answer is no BSON. */
const HANDLERS: Record<string, Handler> = {
  getmore: ({ cursors }, call, sql) => getMore(cursors, call, sql),
  createindexes: (_, call, sql) => createIndexes(call, sql),
  dropindexes: (_, call, sql) => dropIndexes(call, sql),
  drop: async (_, call, sql) => {
    await sql.query(DROP, [call.database, call.target]);
    return { ns: `${call.database}.${call.target}`, ok: 1 };
  },
  dropdatabase: async (_, call, sql) => {
    await sql.query(DROP_DATABASE, [call.database]);
    return { dropped: call.database, ok: 1 };
  },
};

const IN_TRANSACTIONS = new Set(
  'insert update delete findandmodify find aggregate getmore distinct count create'.split(' '),
);
const REPEAT_MS = 15_000;
/** PostgreSQL's state for a statement that was undone and may be repeated. */
const LOST = '40P01';

/** Whether the database has to be asked for this command. */
export function needsDatabase(call: Call): boolean {
  return call.name in HANDLERS || translationOf(call) !== undefined;
}

/** The transaction a command belongs to; undefined outside of one. */
export function namedOf(call: Call, client: object): Named | undefined {
  const { session, txnNumber } = call;
  if (!call.inTransaction || session === undefined || txnNumber === undefined) return undefined;
  return { session, number: txnNumber, starts: call.starts, client };
}

/**
 * Runs one command on the database: within its session's transaction, or on a connection from the pool.
 * Raises CommandError with MongoDB's code, SqlError or SqlGone.
 */
export async function execute(engine: Engine, call: Call, client: object): Promise<Answer> {
  checkDatabase(call.database);
  const named = namedOf(call, client);
  if (!named) return alone(engine, call);
  if (!IN_TRANSACTIONS.has(call.name))
    throw new CommandError(263, `${call.name} cannot run in a transaction`);
  return engine.transactions.within(named, (sql) => whole(engine, call, sql));
}

/**
 * A single command: one that lost a race or was chosen to end a deadlock runs again, as it would in MongoDB. Losers of
 * one collection run again one after the other: side by side they could go on ending each other.
 */
async function alone(engine: Engine, call: Call): Promise<Answer> {
  const until = Date.now() + REPEAT_MS;
  for (let attempt = 1; ; attempt++) {
    try {
      if (attempt === 1) return await once(engine, call);
      return await engine.turns(`${call.database}.${call.target}`, () => once(engine, call));
    } catch (error) {
      const lost = error instanceof SqlError && codeOf(error.state) === 112;
      if (!lost || Date.now() > until) throw error;
    }
    await sleep(Math.random() * Math.min(10 * attempt, 100));
  }
}

async function once(engine: Engine, call: Call): Promise<Answer> {
  const sql = await engine.pool.acquire();
  try {
    return await timed(call, sql, () => run(engine, call, sql));
  } finally {
    engine.pool.release(sql);
  }
}

/** A command in a transaction: a write error in it ends the transaction, as in MongoDB. */
async function whole(engine: Engine, call: Call, sql: Sql): Promise<Answer> {
  const answer = await timed(call, sql, () => run(engine, call, sql));
  const [error] = Buffer.isBuffer(answer) ? [] : (answer.writeErrors ?? []);
  if (!error) return answer;
  const { code, errmsg, index: _, ...more } = error;
  throw new CommandError(code, errmsg, [], more);
}

async function timed(call: Call, sql: Sql, work: () => Promise<Answer>): Promise<Answer> {
  if (!call.deadline) return work();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    sql.cancel();
  }, call.deadline);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    if (late) sql.close();
  }
}

async function run(engine: Engine, call: Call, sql: Sql): Promise<Answer> {
  const handler = HANDLERS[call.name];
  if (handler) return handler(engine, call, sql);
  const translation = translationOf(call);
  if (!translation) throw new CommandError(59, `no such command: '${call.name}'`);
  try {
    const [row] = await sql.query(translation.statement, translation.params(call));
    return await shaped(translation.shape, row, engine, call);
  } catch (error) {
    if (!(error instanceof SqlError) || codeOf(error.state) !== 11000) throw error;
    const { errmsg, ...more } = await duplicate(engine.pool, call, error.message, 0);
    throw new CommandError(11000, errmsg, [], more);
  }
}

async function shaped(shape: Shape, row: Row | undefined, engine: Engine, call: Call): Promise<Answer> {
  const [bytes, continuation, , id] = row ?? [];
  if (!bytes) return { ok: 1 };
  if (shape === 'write') return withCodes(bytes, engine.pool, call);
  if (shape === 'cursor' && continuation && id) {
    const { database, session } = call;
    engine.cursors.keep(id.readBigInt64BE(), { database, continuation, session, used: Date.now() });
  }
  return bytes;
}

/** A write's answer with MongoDB's codes and words in its write errors. */
async function withCodes(bytes: Buffer, pool: Pool, call: Call): Promise<Answer> {
  if (!fieldsOf(bytes).some((field) => field.name === 'writeErrors')) return bytes;
  const answer = deserialize(bytes);
  for (const error of answer.writeErrors) {
    error.code = unpacked(error.code);
    if (error.code === 112 && !answer.n) throw new SqlError(LOST, error.errmsg);
    if (error.code === 11000) Object.assign(error, await duplicate(pool, call, error.errmsg, error.index));
  }
  return answer;
}

/** What is to be told of a duplicate key; raises the loss of a race when it is that. */
async function duplicate(pool: Pool, call: Call, message: string, at: number): Promise<Duplicate> {
  const described = await describeDuplicate(pool, call, message, at);
  if (at === 0 && lostUpsert(call, 0, described)) throw new SqlError(LOST, 'another upsert was quicker');
  return described;
}
