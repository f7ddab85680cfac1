import { type Document, deserialize, type Long } from 'bson';
import type { Call } from './call.ts';
import { CommandError } from './codes.ts';
import type { Pool } from './pool.ts';
import { TYPE } from './raw.ts';
import type { Sql } from './sql.ts';
import { DELETE_CURSORS, GET_MORE } from './statements.ts';

/** What is needed to fetch the next page of a cursor, on any connection. */
export interface Cursor {
  database: string;
  continuation: Buffer;
  session?: Buffer;
  used: number;
}

const IDLE_MS = 10 * 60_000;

/** The open cursors by id; forgotten after ten minutes without a page. */
export interface Cursors {
  take(id: bigint): Cursor | undefined;
  keep(id: bigint, cursor: Cursor): void;
  endSession(session: Buffer): void;
  close(): void;
}

export function createCursors(): Cursors {
  const open = new Map<bigint, Cursor>();
  const sweep = setInterval(() => {
    for (const [id, cursor] of open) if (Date.now() - cursor.used > IDLE_MS) open.delete(id);
  }, 30_000).unref();
  return {
    take(id) {
      const cursor = open.get(id);
      open.delete(id);
      return cursor;
    },
    keep(id, cursor) {
      // A copy of its own: the bytes are part of a whole page.
      open.set(id, { ...cursor, continuation: Buffer.from(cursor.continuation) });
    },
    endSession(session) {
      for (const [id, cursor] of open) if (cursor.session?.equals(session)) open.delete(id);
    },
    close: () => clearInterval(sweep),
  };
}

/** `getMore`: the next page. Raises CommandError 43 when the cursor is not open. */
export async function getMore(cursors: Cursors, call: Call, sql: Sql): Promise<Buffer> {
  const first = call.request.fields[0];
  const id = first?.type === TYPE.long ? call.request.body.readBigInt64LE(first.value) : 0n;
  const cursor = cursors.take(id);
  if (!cursor) throw new CommandError(43, `cursor id ${id} not found`);
  const [row] = await sql.query(GET_MORE, [cursor.database, call.spec(), cursor.continuation]);
  const [page, continuation] = row ?? [];
  if (!page) throw new CommandError(43, `cursor id ${id} has no more pages`);
  if (continuation) cursors.keep(id, { ...cursor, continuation, used: Date.now() });
  return page;
}

/** `killCursors`: forgets them, and what the database keeps of them. */
export async function killCursors(cursors: Cursors, call: Call, pool: Pool): Promise<Document> {
  const asked: Long[] = deserialize(call.spec(), { promoteLongs: false }).cursors ?? [];
  const known = asked.filter((id) => cursors.take(id.toBigInt()) !== undefined);
  if (known.length > 0) {
    const sql = await pool.acquire();
    await sql.query(DELETE_CURSORS, [`{${known.join(',')}}`]).finally(() => pool.release(sql));
  }
  const cursorsNotFound = asked.filter((id) => !known.includes(id));
  return { cursorsKilled: known, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [], ok: 1 };
}
