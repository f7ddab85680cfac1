import { Binary, type Document, deserialize } from 'bson';
import type { Call } from './call.ts';
import { CommandError } from './codes.ts';
import { type Exchange, MECHANISM, scram } from './scram.ts';

/** The one user of an engine; it lives in the database `admin`. */
export interface Credentials {
  user: string;
  /** ASCII. */
  password: string;
}

/** Who is at the other end of each connection. */
export interface Authentication {
  /** Whether a client has proved who it is. */
  knows(client: object): boolean;
  /** Raises CommandError 13 for a command that a client may not give before it has. */
  check(call: Call, client: object): void;
  /** What `hello` says of logins, and the first step of one that comes with it. */
  greeting(call: Call, client: object): Document;
  /** `saslStart`. Raises CommandError 18 or 334. */
  start(call: Call, client: object): Document;
  /** `saslContinue`. Raises CommandError 18. */
  proceed(call: Call, client: object): Document;
  /** `connectionStatus`. */
  status(): Document;
}

/** Open to everybody: what finds out where a server is and who one is. */
const OPEN = new Set(['hello', 'ismaster', 'ping', 'saslstart', 'saslcontinue']);
const DATABASE = 'admin';

interface Login {
  exchange: Exchange;
  /** The client leaves out an empty last round. */
  brief: boolean;
}

/** Makes the logins of a bridge. */
export function authentication({ user, password }: Credentials): Authentication {
  const challenge = scram(user, password);
  const known = new WeakSet<object>();
  const begun = new WeakMap<object, Login>();

  function begin(spec: Document, database: string, client: object): Document {
    known.delete(client);
    if (spec.mechanism !== MECHANISM)
      throw new CommandError(334, `the mechanism is ${MECHANISM}, not '${spec.mechanism}'`);
    // A user of another database is another user.
    const exchange = database === DATABASE ? challenge(textOf(spec.payload)) : undefined;
    if (!exchange) throw refused();
    begun.set(client, { exchange, brief: spec.options?.skipEmptyExchange === true });
    return step(exchange.challenge, false);
  }

  return {
    knows: (client) => known.has(client),
    check(call, client) {
      if (known.has(client) || OPEN.has(call.name)) return;
      throw new CommandError(13, `command ${call.request.fields[0]?.name} requires authentication`);
    },
    greeting(call, client) {
      const greeting: Document = call.field('saslSupportedMechs') ? { saslSupportedMechs: [MECHANISM] } : {};
      if (!call.field('speculativeAuthenticate')) return greeting;
      const { speculativeAuthenticate: spec } = deserialize(call.spec());
      try {
        return { ...greeting, speculativeAuthenticate: begin(spec, spec.db, client) };
      } catch {
        // What does not come to anything here is tried again by saslStart, which says why.
        return greeting;
      }
    },
    start: (call, client) => ({ ...begin(deserialize(call.spec()), call.database, client), ok: 1 }),
    proceed(call, client) {
      const login = begun.get(client);
      begun.delete(client);
      // The round that has nothing to say any more.
      if (!login && known.has(client)) return { ...step('', true), ok: 1 };
      const verifier = login?.exchange.finish(textOf(deserialize(call.spec()).payload));
      if (!login || verifier === undefined) throw refused();
      known.add(client);
      return { ...step(verifier, login.brief), ok: 1 };
    },
    status: () => ({
      authInfo: { authenticatedUsers: [{ user, db: DATABASE }], authenticatedUserRoles: [] },
      ok: 1,
    }),
  };
}

function step(payload: string, done: boolean): Document {
  return { conversationId: 1, done, payload: new Binary(Buffer.from(payload)) };
}

function textOf(payload: unknown): string {
  return payload instanceof Binary ? Buffer.from(payload.buffer).toString('utf8') : '';
}

function refused(): CommandError {
  return new CommandError(18, 'Authentication failed.');
}
