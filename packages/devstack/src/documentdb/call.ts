import { CommandError } from './codes.ts';
import { boolAt, type Field, fieldsOf, numberAt, TYPE, textAt, without } from './raw.ts';
import type { Request } from './wire.ts';

/** Fields that concern the bridge (sessions, concerns, deadlines) and not the query. */
const BRIDGE_FIELDS = new Set([
  '$db',
  'lsid',
  '$clusterTime',
  '$readPreference',
  'txnNumber',
  'startTransaction',
  'autocommit',
  'readConcern',
  'writeConcern',
  'maxTimeMS',
  'apiVersion',
  'apiStrict',
  'apiDeprecationErrors',
]);

/** One command: its name (in lower case: drivers differ), where it goes, its session, and its document without the bridge's own fields. */
export interface Call {
  request: Request;
  name: string;
  database: string;
  /** The command's first value when it is text: mostly the collection. */
  target: string;
  session?: Buffer;
  /** Number of the transaction, or of the write that the driver may repeat. */
  txnNumber?: bigint;
  /** Part of a multi-statement transaction. */
  inTransaction: boolean;
  starts: boolean;
  /** Milliseconds. */
  deadline?: number;
  field(name: string): Field | undefined;
  /** The document without the bridge's fields and those in `extra`. */
  spec(extra?: string): Buffer;
}

/** Reads what the bridge needs to know of a request. Raises CommandError 9 when it names no command. */
export function callOf(request: Request): Call {
  const { body, fields } = request;
  const first = fields[0];
  if (!first) throw new CommandError(9, 'the command is empty');
  const field = (name: string): Field | undefined => fields.find((candidate) => candidate.name === name);
  const database = field('$db');
  const lsid = field('lsid');
  const txnNumber = field('txnNumber');
  const autocommit = field('autocommit');
  const starts = field('startTransaction');
  const deadline = field('maxTimeMS');
  return {
    request,
    name: first.name.toLowerCase(),
    database: database ? textAt(body, database) : 'admin',
    target: first.type === TYPE.string ? textAt(body, first) : '',
    session: lsid && sessionOf(body, lsid),
    txnNumber: txnNumber?.type === TYPE.long ? body.readBigInt64LE(txnNumber.value) : undefined,
    inTransaction: autocommit !== undefined && boolAt(body, autocommit) === false,
    starts: starts !== undefined && boolAt(body, starts) === true,
    deadline: (deadline && numberAt(body, deadline)) || undefined,
    field,
    spec: (extra) => without(body, fields, (name) => name === extra || BRIDGE_FIELDS.has(name)),
  };
}

/** The id in an `lsid` document: a UUID's bytes. */
function sessionOf(body: Buffer, lsid: Field): Buffer | undefined {
  const id = fieldsOf(body, lsid.value).find((field) => field.name === 'id');
  return id && body.subarray(id.value + 5, id.end);
}
