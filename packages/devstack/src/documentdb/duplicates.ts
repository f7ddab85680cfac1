import { type Document, deserialize } from 'bson';
import type { Call } from './call.ts';
import type { Pool } from './pool.ts';
import type { Statement } from './sql.ts';

/** What MongoDB says of a duplicate key beyond its code; drivers hand it to their users. */
export interface Duplicate {
  errmsg: string;
  keyPattern?: Document;
  keyValue?: Document;
}

const INDEXES: Statement = {
  name: 'index_specs',
  text: `SELECT i.index_id::text, documentdb_api_internal.index_spec_as_bson(i.index_spec)
    FROM documentdb_api_catalog.collection_indexes i JOIN documentdb_api_catalog.collections c USING (collection_id)
    WHERE c.database_name = $1::text AND c.collection_name = $2::text`,
};

/**
 * MongoDB's words for a duplicate key. The engine names the index (or the number of its table's constraint);
 * the rest is looked up.
 * @param at position of the write in the command
 */
export async function describeDuplicate(
  pool: Pool,
  call: Call,
  message: string,
  at: number,
): Promise<Duplicate> {
  const index = await indexOf(pool, call, message);
  const namespace = `${call.database}.${call.target}`;
  if (!index) return { errmsg: `E11000 duplicate key error collection: ${namespace} ${message}` };
  const keyPattern: Document = index.key;
  const source = writtenAt(call, at);
  const keyValue = source && valuesOf(source, Object.keys(keyPattern));
  const shown = keyValue ? ` dup key: ${shownKey(keyValue)}` : '';
  const errmsg = `E11000 duplicate key error collection: ${namespace} index: ${index.name}${shown}`;
  return { errmsg, keyPattern, ...(keyValue && { keyValue }) };
}

async function indexOf(pool: Pool, call: Call, message: string): Promise<Document | undefined> {
  const name = /Index '(.+)'/.exec(message)?.[1];
  if (name === '_id_' || /"collection_pk_\d+"/.test(message)) return { name: '_id_', key: { _id: 1 } };
  const id = /"documents_rum_index_(\d+)"/.exec(message)?.[1];
  const sql = await pool.acquire();
  try {
    for (const [number, spec] of await sql.query(INDEXES, [call.database, call.target])) {
      const index = spec ? deserialize(spec) : {};
      if (index.name === name || number?.toString() === id) return index;
    }
    return undefined;
  } finally {
    pool.release(sql);
  }
}

/** The document that the n-th write of a command makes, as far as the command tells. */
function writtenAt(call: Call, at: number): Document | undefined {
  const { documents, updates, query, update } = deserialize(call.spec());
  const write = nth(call.request.sequences.values().next().value, at) ?? (documents ?? updates)?.[at];
  if (call.name === 'insert') return write;
  const [filter, change] = write ? [write.q, write.u] : [query, update];
  if (!change || Array.isArray(change)) return undefined;
  return {
    ...filter,
    ...(Object.keys(change)[0]?.startsWith('$') ? {} : change),
    ...change.$setOnInsert,
    ...change.$set,
  };
}

function nth(sequence: Buffer | undefined, at: number): Document | undefined {
  if (!sequence) return undefined;
  let offset = 0;
  for (let skipped = 0; skipped < at && offset < sequence.length; skipped++)
    offset += sequence.readInt32LE(offset);
  return offset < sequence.length
    ? deserialize(sequence.subarray(offset, offset + sequence.readInt32LE(offset)))
    : undefined;
}

function valuesOf(source: Document, paths: string[]): Document | undefined {
  const entries = paths.map((path) => [
    path,
    source[path] ?? path.split('.').reduce((at, key) => at?.[key], source),
  ]);
  const known = entries.every(([, value]) => value !== undefined && !isCondition(value));
  return known ? Object.fromEntries(entries) : undefined;
}

function isCondition(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value)[0]?.startsWith('$') === true;
}

function shownKey(values: Document): string {
  const parts = Object.entries(values).map(([path, value]) => {
    const hex = value?._bsontype === 'ObjectId' ? `ObjectId('${value}')` : JSON.stringify(value);
    return `${path}: ${hex}`;
  });
  return `{ ${parts.join(', ')} }`;
}
