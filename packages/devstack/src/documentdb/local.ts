import { randomUUID } from 'node:crypto';
import { Binary, type Document, deserialize } from 'bson';
import type { Authentication } from './authentication.ts';
import type { Call } from './call.ts';
import { CommandError } from './codes.ts';
import { type Engine, namedOf } from './commands.ts';
import { killCursors } from './cursors.ts';
import { buildInfo, hello, replSetGetStatus, serverStatus } from './hello.ts';

/** Where the bridge listens and how many clients it has. */
export interface Place {
  engine: Engine;
  authentication: Authentication;
  address: string;
  clients: Set<object>;
}

type Handler = (place: Place, call: Call, client: object) => Document | Promise<Document>;

/** Commands that the bridge answers itself. */
const HANDLERS: Record<string, Handler> = {
  hello: greet,
  ismaster: greet,
  saslstart: ({ authentication }, call, client) => authentication.start(call, client),
  saslcontinue: ({ authentication }, call, client) => authentication.proceed(call, client),
  ping: () => ({ ok: 1 }),
  buildinfo: () => buildInfo(),
  serverstatus: ({ address, clients }) => serverStatus(address, clients.size),
  replsetgetstatus: ({ address }) => replSetGetStatus(address),
  getparameter: () => ({ featureCompatibilityVersion: { version: '7.0' }, ok: 1 }),
  connectionstatus: ({ authentication }) => authentication.status(),
  startsession: () => ({ id: { id: newSessionId() }, timeoutMinutes: 30, ok: 1 }),
  refreshsessions: () => ({ ok: 1 }),
  killcursors: ({ engine }, call) => killCursors(engine.cursors, call, engine.pool),
  endsessions: ({ engine }, call) => endSessions(engine, call),
  committransaction: async ({ engine }, call, client) => {
    await engine.transactions.commit(transactionOf(call, client));
    return { ok: 1 };
  },
  aborttransaction: async ({ engine }, call, client) => {
    await engine.transactions.abort(transactionOf(call, client));
    return { ok: 1 };
  },
};

/** Answers a command without a query. Raises CommandError 59 for one that is unknown. */
export async function answerLocally(place: Place, call: Call, client: object): Promise<Document> {
  const handler = HANDLERS[call.name];
  if (!handler) throw new CommandError(59, `no such command: '${call.request.fields[0]?.name}'`);
  return handler(place, call, client);
}

function greet({ address, authentication }: Place, call: Call, client: object): Document {
  return { ...hello(address), ...authentication.greeting(call, client) };
}

function transactionOf(call: Call, client: object) {
  const named = namedOf(call, client);
  if (!named) throw new CommandError(72, `${call.name} needs a session's transaction`);
  return named;
}

function newSessionId(): Binary {
  return new Binary(Buffer.from(randomUUID().replaceAll('-', ''), 'hex'), Binary.SUBTYPE_UUID);
}

async function endSessions(engine: Engine, call: Call): Promise<Document> {
  const sessions: { id: Binary }[] = deserialize(call.spec()).endSessions ?? [];
  for (const { id } of sessions) {
    const session = Buffer.from(id.buffer);
    engine.cursors.endSession(session);
    await engine.transactions.endSession(session);
  }
  return { ok: 1 };
}
