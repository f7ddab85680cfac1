import { createServer, type Socket } from 'node:net';
import { authentication, type Credentials } from './authentication.ts';
import { callOf } from './call.ts';
import { CommandError, commandErrorOf, failure } from './codes.ts';
import { type Answer, execute, needsDatabase } from './commands.ts';
import { createCursors } from './cursors.ts';
import { SET_NAME } from './hello.ts';
import { answerLocally, type Place } from './local.ts';
import { createPool } from './pool.ts';
import { forgetOutcomes } from './schema.ts';
import { createTransactions } from './transactions.ts';
import { createTurns } from './turns.ts';
import { cut, expected, parse, type Request, reply } from './wire.ts';

const STATEMENTS = 20;
const TRANSACTIONS = 20;
const FORGET_MS = 10 * 60_000;
/** What a client that is not known yet may send at once: a login is a few hundred bytes. */
const STRANGERS_BYTES = 64 * 1024;

export interface Bridge {
  /** Where clients reach it, without user and password. */
  uri: string;
  close(): void;
}

/**
 * Listens on 127.0.0.1:`port` (0: any that is free) for MongoDB clients and answers from the database whose unix
 * socket is at `path`, once they have logged in. Raises an error when the port is taken.
 */
export async function startBridge(path: string, port: number, credentials: Credentials): Promise<Bridge> {
  const pool = createPool(path, STATEMENTS);
  // A pool of their own: transactions hold their connections and would starve the single commands.
  const held = createPool(path, TRANSACTIONS);
  const engine = {
    pool,
    transactions: createTransactions(held),
    cursors: createCursors(),
    turns: createTurns(),
  };
  const clients = new Set<Socket>();
  const place: Place = { engine, authentication: authentication(credentials), address: '', clients };
  const server = createServer({ noDelay: true }, (socket) => {
    clients.add(socket);
    socket.once('close', () => clients.delete(socket));
    serve(socket, place);
  });
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, '127.0.0.1', done));
  const bound = server.address();
  const actual = typeof bound === 'object' && bound ? bound.port : port;
  place.address = `127.0.0.1:${actual}`;
  const forget = setInterval(async () => {
    const sql = await pool.acquire();
    await forgetOutcomes(sql).finally(() => pool.release(sql));
  }, FORGET_MS).unref();
  return {
    uri: `mongodb://${place.address}/?replicaSet=${SET_NAME}`,
    close() {
      clearInterval(forget);
      server.close();
      for (const client of clients) client.destroy();
      for (const part of [engine.transactions, engine.cursors, pool, held]) part.close();
    },
  };
}

/** Reads a client's messages and answers them in their order. */
function serve(socket: Socket, place: Place): void {
  let chunks: Buffer[] = [];
  let size = 0;
  let turn: Promise<void> = Promise.resolve();
  socket.on('error', () => socket.destroy());
  socket.on('close', () => place.engine.transactions.leave(socket));
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    size += chunk.length;
    try {
      if (size > STRANGERS_BYTES && !place.authentication.knows(socket))
        throw new RangeError('too much to say');
      if (chunks[0] && size < expected(chunks[0])) return;
      const { messages, rest } = cut(chunks.length === 1 ? chunk : Buffer.concat(chunks, size));
      chunks = rest.length > 0 ? [rest] : [];
      size = rest.length;
      for (const request of messages.map(parse)) turn = turn.then(() => respond(socket, request, place));
    } catch {
      // Not the protocol, or not one we speak: MongoDB hangs up, too.
      socket.destroy();
    }
  });
}

async function respond(socket: Socket, request: Request, place: Place): Promise<void> {
  let body: Answer;
  try {
    body = await answer(socket, request, place);
  } catch (error) {
    body = failure(commandErrorOf(error));
  }
  if (request.wantsReply && !socket.destroyed) socket.write(reply(request, body));
}

async function answer(socket: Socket, request: Request, place: Place): Promise<Answer> {
  const call = callOf(request);
  place.authentication.check(call, socket);
  try {
    return needsDatabase(call)
      ? await execute(place.engine, call, socket)
      : await answerLocally(place, call, socket);
  } catch (error) {
    const problem = commandErrorOf(error);
    const ending = call.name === 'committransaction' || call.name === 'aborttransaction';
    const repeatable = problem.code === 91 && call.txnNumber !== undefined && (ending || !call.inTransaction);
    throw repeatable ? new CommandError(91, problem.message, ['RetryableWriteError']) : problem;
  }
}
