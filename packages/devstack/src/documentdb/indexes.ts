import { setTimeout as sleep } from 'node:timers/promises';
import { type Document, deserialize } from 'bson';
import type { Call } from './call.ts';
import { CommandError, unpacked } from './codes.ts';
import type { Row } from './sql.messages.ts';
import type { Sql } from './sql.ts';
import { BUILD_INDEX, CREATE_INDEXES, DROP_INDEXES, INDEX_STATUS } from './statements.ts';

const PATIENCE_MS = 10 * 60_000;

/**
 * Creates indexes and answers when they are built: the engine only queues them, and a unique index that is
 * not there yet protects nothing. Raises CommandError when the engine refuses or building one fails.
 */
export async function createIndexes(call: Call, sql: Sql): Promise<Buffer> {
  const [row] = await sql.query(CREATE_INDEXES, [call.database, call.spec()]);
  const answer = accepted(row);
  const requests = row?.[2];
  if (requests && deserialize(requests).indexRequest?.cmdType) await built(requests, sql);
  return answer;
}

async function built(requests: Buffer, sql: Sql): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  for (let pause = 5; Date.now() < until; pause = Math.min(pause * 2, 250)) {
    await sql.query(BUILD_INDEX, []);
    const [row] = await sql.query(INDEX_STATUS, [requests]);
    accepted(row);
    if (row?.[2]?.[0] === 1) return;
    await sleep(pause);
  }
  throw new CommandError(50, 'the index was not built within ten minutes');
}

/** The answer's document. Raises CommandError with what the engine says when it is a failure. */
function accepted(row: Row | undefined): Buffer {
  const [bytes, ok] = row ?? [];
  if (!bytes) throw new CommandError(1, 'the engine gave no answer about an index');
  if (ok?.[0] === 1) return bytes;
  const raw: Record<string, Document> = deserialize(bytes).raw ?? {};
  const failure = Object.values(raw).find((shard) => shard.code !== undefined);
  throw new CommandError(
    unpacked(failure?.code ?? 0) || 1,
    failure?.errmsg ?? 'the index could not be created',
  );
}

/** Drops indexes; answers how many there were. Raises CommandError 27 for one that does not exist. */
export async function dropIndexes(call: Call, sql: Sql): Promise<Document> {
  const [row] = await sql.query(DROP_INDEXES, [call.database, call.spec()]);
  const answer = row?.[0] ? deserialize(row[0]) : {};
  if (answer.ok) return { ...answer, ok: 1 };
  throw new CommandError(unpacked(answer.code ?? 0) || 1, answer.errmsg ?? 'the index could not be dropped');
}
