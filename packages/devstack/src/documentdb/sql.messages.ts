/** An error the database answered; `state` is its SQLSTATE. */
export class SqlError extends Error {
  state: string;
  constructor(state: string, message: string) {
    super(message);
    this.state = state;
  }
}

/** The connection to the database broke; whether the last statement took effect is unknown. */
export class SqlGone extends Error {}

export type Param = Buffer | string | null;
/** The columns of one row as the server sent them (binary format). */
export type Row = (Buffer | null)[];

const PROTOCOL = 196_608;
const CANCEL = 80_877_102;

/** PostgreSQL's frontend messages, https://www.postgresql.org/docs/18/protocol-message-formats.html. */
function message(type: string, ...parts: Buffer[]): Buffer {
  const size = parts.reduce((sum, part) => sum + part.length, 4);
  const head = Buffer.allocUnsafe(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(size, 1);
  return Buffer.concat([head, ...parts], size + 1);
}

const cstring = (text: string): Buffer => Buffer.from(`${text}\0`);

export const EXECUTE = message('E', Buffer.alloc(5));
export const SYNC = message('S');

/** The first message: user and database are both `postgres`. */
export function startup(): Buffer {
  const body = cstring('user\0postgres\0database\0postgres\0application_name\0muster\0');
  const head = Buffer.alloc(8);
  head.writeInt32BE(body.length + 8, 0);
  head.writeInt32BE(PROTOCOL, 4);
  return Buffer.concat([head, body]);
}

/** What another connection sends to cancel the statement of the one whose key this is. */
export function cancelOf(key: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + key.length, 0);
  head.writeInt32BE(CANCEL, 4);
  return Buffer.concat([head, key]);
}

export function simple(sql: string): Buffer {
  return message('Q', cstring(sql));
}

export function parse(name: string, text: string): Buffer {
  return message('P', cstring(name), cstring(text), Buffer.alloc(2));
}

/** Bind with every parameter and every result column in binary format. */
export function bind(name: string, params: Param[]): Buffer {
  const values = params.map((value) => (typeof value === 'string' ? Buffer.from(value) : value));
  const size = values.reduce((sum, value) => sum + 4 + (value?.length ?? 0), name.length + 17);
  const out = Buffer.allocUnsafe(size);
  let at = out.write('B', 0, 'latin1');
  at = out.writeInt32BE(size - 1, at);
  at += out.write(`\0${name}\0`, at);
  for (const count of [1, 1, values.length]) at = out.writeInt16BE(count, at);
  for (const value of values) {
    at = out.writeInt32BE(value?.length ?? -1, at);
    if (value) at += value.copy(out, at);
  }
  for (const count of [1, 1]) at = out.writeInt16BE(count, at);
  return out;
}

/** The columns of a DataRow message. */
export function columns(body: Buffer): Row {
  const row: Row = [];
  let at = 2;
  for (let left = body.readInt16BE(0); left > 0; left--) {
    const size = body.readInt32BE(at);
    at += 4;
    row.push(size < 0 ? null : body.subarray(at, at + size));
    if (size > 0) at += size;
  }
  return row;
}

/** What an ErrorResponse message says. */
export function problem(body: Buffer): SqlError {
  const parts = body.toString('utf8').split('\0');
  const part = (letter: string): string | undefined => parts.find((text) => text[0] === letter)?.slice(1);
  return new SqlError(part('C') ?? 'XX000', part('M') ?? 'unknown error');
}
