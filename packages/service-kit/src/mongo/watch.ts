import { mongo } from 'mongoose';

/** Is told, once, why nothing can be expected of a client any more. */
export type GiveUp = (reason: string) => void;

const PERIODS = 3;
const LOOKS_PER_PERIOD = 10;
const NEVER = Number.POSITIVE_INFINITY;
const ANY = 'any address';

/**
 * Watches the driver itself: when a socket dies between the start of a command and its write, the driver waits for
 * ever (docs/decisions/0017). A server that is away is no reason to give up, nor is a process that stood still.
 * @param giveUp called when a monitor had no outcome for three periods, when a command had no end for half as long
 *   again as the socket's timeout, or when a primary that answers is not chosen
 */
export function watchMongo(client: mongo.MongoClient, giveUp: GiveUp): void {
  const { heartbeatFrequencyMS: periodMs, connectTimeoutMS, socketTimeoutMS, loadBalanced } = client.options;
  // There the driver has no monitors, and keeps a connection for a whole transaction.
  if (loadBalanced) return;
  // A heartbeat that fails takes a connect and a handshake.
  const silenceMs = Math.max(PERIODS * periodMs, periodMs + 2 * connectTimeoutMS);
  const endlessMs = socketTimeoutMS > 0 ? socketTimeoutMS * 1.5 : NEVER;
  const clock = awakeClock(periodMs / LOOKS_PER_PERIOD);
  const monitors = monitorsOf(client, clock.now);
  const oldestCommand = commandsOf(client, clock.now);

  let over = false;
  let asked = { at: 0, answered: true };

  const looking = setInterval(look, periodMs / LOOKS_PER_PERIOD).unref();
  client.once('topologyClosed', () => clearInterval(looking));

  function look(): void {
    const now = clock.tick();
    const silent = monitors.quietest();
    if (now - silent.at > silenceMs)
      end(`the driver's monitor of MongoDB at ${silent.address} says nothing for ${seconds(silenceMs)}`);
    else if (now - oldestCommand() > endlessMs) end(`a MongoDB command had no end for ${seconds(endlessMs)}`);
    else if (asked.answered && now - asked.at >= periodMs) void ask(now);
  }

  /** A primary that has answered all the time must be found by those who look for one. */
  async function ask(at: number): Promise<void> {
    asked = { at, answered: false };
    const error = await client
      .db('admin')
      .command({ ping: 1 })
      .catch((cause: unknown) => cause);
    asked.answered = true;
    if (error instanceof mongo.MongoServerSelectionError && monitors.primarySince() <= at)
      end("MongoDB's primary answers, and the driver does not choose it");
  }

  function end(reason: string): void {
    if (over) return;
    over = true;
    clearInterval(looking);
    giveUp(reason);
  }
}

/** A clock that stands still while this process does: stopped, suspended, or too busy to look at it. */
function awakeClock(everyMs: number) {
  let awake = 0;
  let looked = performance.now();
  return {
    now: () => awake,
    tick() {
      const now = performance.now();
      awake += Math.min(now - looked, 2 * everyMs);
      looked = now;
      return awake;
    },
  };
}

/** When each server's monitor last had an outcome, and since when there has been a primary. */
function monitorsOf(client: mongo.MongoClient, now: () => number) {
  const servers = new Map<string, { at: number; primarySince: number }>();
  const heard = (address: string, isPrimary = false) => {
    // Until one has said something its silence is that of all.
    servers.delete(ANY);
    const since = servers.get(address)?.primarySince ?? NEVER;
    servers.set(address, { at: now(), primarySince: isPrimary ? Math.min(since, now()) : NEVER });
  };
  heard(ANY);
  client.on('serverOpening', ({ address }) => heard(address));
  client.on('serverHeartbeatFailed', ({ connectionId }) => heard(connectionId));
  client.on('serverHeartbeatSucceeded', ({ connectionId, reply }) =>
    heard(connectionId, reply.isWritablePrimary),
  );
  client.on('serverClosed', ({ address }) => servers.delete(address));
  return {
    quietest: () =>
      [...servers].reduce((found, [address, { at }]) => (at < found.at ? { address, at } : found), {
        address: '',
        at: now(),
      }),
    primarySince: () => Math.min(...[...servers.values()].map(({ primarySince }) => primarySince)),
  };
}

/** When the oldest command under way began: each holds a connection from its start to its end. */
function commandsOf(client: mongo.MongoClient, now: () => number) {
  const began = new Map<string, number>();
  const ended = (event: PooledConnection) => began.delete(keyOf(event));
  client.on('connectionCheckedOut', (event) => began.set(keyOf(event), now()));
  client.on('connectionCheckedIn', ended).on('connectionClosed', ended);
  // A Map keeps the order in which its rows came.
  return (): number => began.values().next().value ?? now();
}

interface PooledConnection {
  address: string;
  connectionId: unknown;
}

const keyOf = ({ address, connectionId }: PooledConnection) => `${address} ${connectionId}`;
const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;
