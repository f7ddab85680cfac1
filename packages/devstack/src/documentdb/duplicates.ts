import { type Document, deserialize } from 'bson';
import type { Call } from './call.ts';
import type { Pool } from './pool.ts';
import type { Statement } from './sql.ts';
import { type Write, writeAt } from './write.ts';

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
  const start = `E11000 duplicate key error collection: ${call.database}.${call.target}`;
  if (!index) return { errmsg: `${start} ${message}` };
  const keyPattern: Document = index.key;
  const keyValue = valuesOf(writeAt(call, at), Object.keys(keyPattern));
  const shown = keyValue ? ` dup key: ${shownKey(keyValue)}` : '';
  return { errmsg: `${start} index: ${index.name}${shown}`, keyPattern, ...(keyValue && { keyValue }) };
}

/**
 * Whether a duplicate key means that an upsert lost a race: another made the document after this one did not find
 * it. MongoDB then runs the upsert again; its condition is that the filter fixes exactly the unique key's fields.
 */
export function lostUpsert(call: Call, at: number, { keyPattern }: Duplicate): boolean {
  const { upsert, filter } = writeAt(call, at);
  if (!upsert || !filter || !keyPattern) return false;
  const fixed = Object.keys(filter).filter((path) => !isCondition(filter[path]));
  const fields = Object.keys(keyPattern);
  return fixed.length === fields.length && fields.every((path) => fixed.includes(path));
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

/** The key's values, as far as the write tells; an inserted document without a field has null there. */
function valuesOf({ document, filter, change }: Write, paths: string[]): Document | undefined {
  const replacement = change && !Object.keys(change)[0]?.startsWith('$') ? change : {};
  const source: Document = document ?? {
    ...filter,
    ...replacement,
    ...change?.$setOnInsert,
    ...change?.$set,
  };
  const absent = document ? null : undefined;
  const entries = paths.map((path) => {
    const value =
      source[path] ?? path.split('.').reduce((at: Document | undefined, key) => at?.[key], source);
    return [path, value ?? absent] as const;
  });
  const known = entries.every(([, value]) => value !== undefined && !isCondition(value));
  return known ? Object.fromEntries(entries) : undefined;
}

function isCondition(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value)[0]?.startsWith('$') === true;
}

function shownKey(values: Document): string {
  const parts = Object.entries(values).map(([path, value]) => {
    return `${path}: ${value?._bsontype === 'ObjectId' ? `ObjectId('${value}')` : JSON.stringify(value)}`;
  });
  return `{ ${parts.join(', ')} }`;
}
