import { createConnection, type Socket } from 'node:net';
import * as messages from './sql.messages.ts';
import { type Param, type Row, type SqlError, SqlGone } from './sql.messages.ts';

/** A prepared statement: the same text always under the same name, parsed once per connection. */
export interface Statement {
  name: string;
  text: string;
}

interface Result {
  rows: Row[];
  /** The last command's tag, such as COMMIT. */
  tag: string;
}

interface Pending extends Result {
  error?: SqlError;
  parsed?: () => void;
  done: (result: Result) => void;
  fail: (error: Error) => void;
}

/**
 * One connection to PostgreSQL over a unix socket with trust authentication. Requests may follow each other
 * without waiting. Results come as bytes: they are BSON, which goes on to the client as it is.
 */
export interface Sql {
  /** Runs a prepared statement; answers its rows. Raises SqlError or SqlGone. */
  query(statement: Statement, params: Param[]): Promise<Row[]>;
  /** Runs plain SQL; answers the last command's tag. Raises SqlError or SqlGone. */
  exec(sql: string): Promise<string>;
  /**
   * Asks the server to cancel what this connection is doing. The connection must not be used for anything
   * else afterwards: the request may arrive late.
   */
  cancel(): void;
  close(): void;
  readonly open: boolean;
}

/**
 * Connects; `onClose` is called when a connection that was made ends.
 * Raises SqlGone or SqlError when the server is not there or not ready.
 */
export async function connectSql(path: string, onClose: () => void = () => {}): Promise<Sql> {
  const socket = createConnection(path);
  const queue: Pending[] = [];
  const prepared = new Set<string>();
  let key: Buffer = Buffer.alloc(8);
  let open = true;
  let ready = false;

  const lose = (): void => {
    if (!open) return;
    open = false;
    socket.destroy();
    for (const pending of queue.splice(0))
      pending.fail(pending.error ?? new SqlGone('the database went away'));
    if (ready) onClose();
  };
  socket.on('error', lose).on('close', lose);
  receive(socket, (type, body) => {
    if (type === 'K') key = Buffer.from(body);
    else take(type, body, queue);
  });

  const send = (bytes: Buffer[], parsed?: () => void): Promise<Result> =>
    new Promise((done, fail) => {
      if (!open) return fail(new SqlGone('the database went away'));
      queue.push({ rows: [], tag: '', parsed, done, fail });
      socket.cork();
      for (const part of bytes) socket.write(part);
      socket.uncork();
    });

  await send([messages.startup()]);
  ready = true;
  return {
    async query({ name, text }, params) {
      const bytes = [messages.bind(name, params), messages.EXECUTE, messages.SYNC];
      if (!prepared.has(name)) bytes.unshift(messages.parse(name, text));
      return (await send(bytes, () => prepared.add(name))).rows;
    },
    exec: async (sql) => (await send([messages.simple(sql)])).tag,
    cancel() {
      const side = createConnection(path, () => side.end(messages.cancelOf(key)));
      side.on('error', () => side.destroy());
    },
    close: lose,
    get open() {
      return open;
    },
  };
}

/** Cuts the stream into the server's messages: a type, a length, a body. */
function receive(socket: Socket, onMessage: (type: string, body: Buffer) => void): void {
  let chunks: Buffer[] = [];
  let size = 0;
  let wanted = 5;
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size < wanted) return;
    const bytes = chunks.length === 1 ? chunk : Buffer.concat(chunks, size);
    let at = 0;
    while (bytes.length - at >= 5) {
      const end = at + 1 + bytes.readInt32BE(at + 1);
      if (end > bytes.length) break;
      onMessage(String.fromCharCode(bytes.readUInt8(at)), bytes.subarray(at + 5, end));
      at = end;
    }
    const rest = bytes.subarray(at);
    chunks = rest.length > 0 ? [rest] : [];
    size = rest.length;
    wanted = rest.length >= 5 ? 1 + rest.readInt32BE(1) : 5;
  });
}

function take(type: string, body: Buffer, queue: Pending[]): void {
  const pending = queue[0];
  if (!pending) return;
  if (type === '1') pending.parsed?.();
  else if (type === 'D') pending.rows.push(messages.columns(body));
  else if (type === 'C') pending.tag = body.toString('utf8', 0, body.length - 1);
  else if (type === 'E') pending.error = messages.problem(body);
  else if (type === 'Z') {
    queue.shift();
    if (pending.error) pending.fail(pending.error);
    else pending.done(pending);
  }
}
