import type { Call } from './call.ts';
import { CommandError } from './codes.ts';
import { numberAt } from './raw.ts';
import { repaired } from './repairs.ts';
import { int8 } from './schema.ts';
import type { Param } from './sql.messages.ts';
import type { Statement } from './sql.ts';

/** How an answer's row is read: a document, a write's result (with packed error codes), or a cursor's page. */
export type Shape = 'document' | 'write' | 'cursor';

/** A command as one SQL statement. */
export interface Translation {
  statement: Statement;
  params: (call: Call) => Param[];
  shape: Shape;
}

const statement = (name: string, text: string): Statement => ({ name, text });

function write(name: string, sequence: string): Translation {
  return {
    statement: statement(name, `SELECT p_result FROM documentdb_api.${name}($1, $2, $3)`),
    params: (call) => [call.database, call.spec(), call.request.sequences.get(sequence) ?? null],
    shape: 'write',
  };
}

function cursor(name: string): Translation {
  const columns = 'cursorpage, continuation, persistconnection, cursorid';
  return {
    statement: statement(name, `SELECT ${columns} FROM documentdb_api.${name}_cursor_first_page($1, $2)`),
    params: (call) => [call.database, call.spec()],
    shape: 'cursor',
  };
}

function repairedCursor(name: string): Translation {
  return { ...cursor(name), params: (call) => [call.database, repaired(call.spec())] };
}

function document(name: string, text: string, params?: (call: Call) => Param[]): Translation {
  return {
    statement: statement(name, text),
    params: params ?? ((call) => [call.database, call.spec()]),
    shape: 'document',
  };
}

/** Commands that are one SQL function of the engine each. */
const TRANSLATIONS: Record<string, Translation> = {
  insert: write('insert', 'documents'),
  update: write('update', 'updates'),
  delete: write('delete', 'deletes'),
  findandmodify: document('find_and_modify', 'SELECT p_result FROM documentdb_api.find_and_modify($1, $2)'),
  find: repairedCursor('find'),
  aggregate: repairedCursor('aggregate'),
  listcollections: cursor('list_collections'),
  listindexes: cursor('list_indexes'),
  count: document('count', 'SELECT document FROM documentdb_api.count_query($1, $2)'),
  distinct: document('distinct', 'SELECT document FROM documentdb_api.distinct_query($1, $2)'),
  create: document('create', 'SELECT documentdb_api.create_collection_view($1, $2)'),
  collmod: document('coll_mod', 'SELECT documentdb_api.coll_mod($1, $2, $3)', (call) => [
    call.database,
    call.target,
    call.spec(),
  ]),
  renamecollection: document('rename', 'SELECT documentdb_api.rename_collection($1)', (call) => [
    call.spec(),
  ]),
  validate: document('validate', 'SELECT document FROM documentdb_api.validate($1, $2)'),
  listdatabases: document('list_databases', 'SELECT documentdb_api.list_databases($1)', (call) => [
    call.spec(),
  ]),
  collstats: document('coll_stats', 'SELECT documentdb_api.coll_stats($1, $2, $3)', (call) => [
    call.database,
    call.target,
    scale(call),
  ]),
  dbstats: document('db_stats', 'SELECT documentdb_api.db_stats($1, $2)', (call) => [
    call.database,
    scale(call),
  ]),
};

const WRITE_ONCE = statement('write_once', 'SELECT muster.write_once($1, $2, $3, $4, $5, $6)');

/** The SQL of a command; undefined when it is none of these. */
export function translationOf(call: Call): Translation | undefined {
  const translation = TRANSLATIONS[call.name];
  const { session, txnNumber } = call;
  const repeatable = translation && call.name in REPEATABLE && !call.inTransaction;
  if (!repeatable || !session || txnNumber === undefined) return translation;
  const { statement, shape, params } = translation;
  const once = ([database, spec, documents]: Param[]): Param[] => [
    statement.name,
    database ?? '',
    spec ?? null,
    documents ?? null,
    session,
    int8(txnNumber),
  ];
  return { statement: WRITE_ONCE, shape, params: (again) => once(params(again)) };
}

/** Writes that drivers repeat after a lost reply. */
const REPEATABLE = { insert: true, update: true, delete: true, findandmodify: true };

function scale(call: Call): Buffer {
  const field = call.field('scale');
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE((field && numberAt(call.request.body, field)) || 1);
  return bytes;
}

export const GET_MORE = statement(
  'get_more',
  'SELECT cursorpage, continuation FROM documentdb_api.cursor_get_more($1, $2, $3)',
);
export const DELETE_CURSORS = statement(
  'delete_cursors',
  'SELECT documentdb_api_internal.delete_cursors($1::text::bigint[])',
);
export const DROP = statement('drop_collection', 'SELECT documentdb_api.drop_collection($1, $2)');
export const DROP_DATABASE = statement('drop_database', 'SELECT documentdb_api.drop_database($1)');
export const DROP_INDEXES = statement('drop_indexes', 'CALL documentdb_api.drop_indexes($1, $2)');
export const CREATE_INDEXES = statement(
  'create_indexes',
  'SELECT retval, ok, requests FROM documentdb_api.create_indexes_background($1, $2)',
);
export const BUILD_INDEX = statement(
  'build_index',
  'CALL documentdb_api_internal.build_index_concurrently(1)',
);
export const INDEX_STATUS = statement(
  'index_status',
  'SELECT retval, ok, complete FROM documentdb_api_internal.check_build_index_status($1)',
);

/** Refuses a database name that the engine would take in a wrong way. Raises CommandError 73. */
export function checkDatabase(name: string): void {
  if (name === '' || /[/\\. "$\0]/.test(name)) throw new CommandError(73, `invalid database name: '${name}'`);
}
