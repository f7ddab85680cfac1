import type { Document } from 'bson';

/** The name of the replica set of one that the bridge presents. */
export const SET_NAME = 'muster';

/** The MongoDB version it presents: drivers of today accept it, and its commands are there. */
const VERSION = '7.0.0';
const WIRE_VERSION = 21;

const LIMITS = {
  maxBsonObjectSize: 16 * 1024 * 1024,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 25_000,
};

/** `hello`: the primary of a replica set, because drivers use transactions and repeat writes only on one. */
export function hello(address: string): Document {
  return {
    helloOk: true,
    isWritablePrimary: true,
    ismaster: true,
    secondary: false,
    setName: SET_NAME,
    setVersion: 1,
    hosts: [address],
    primary: address,
    me: address,
    ...LIMITS,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    minWireVersion: 0,
    maxWireVersion: WIRE_VERSION,
    readOnly: false,
    ok: 1,
  };
}

/** `buildInfo`; `engine` tells what this really is. */
export function buildInfo(): Document {
  const versionArray = [...VERSION.split('.').map(Number), 0];
  const engine = 'DocumentDB on PostgreSQL';
  return {
    version: VERSION,
    versionArray,
    gitVersion: 'documentdb',
    engine,
    modules: [],
    bits: 64,
    ...LIMITS,
    ok: 1,
  };
}

/** `serverStatus` with the little that tools read. */
export function serverStatus(address: string, connections: number): Document {
  return {
    host: address,
    version: VERSION,
    process: 'mongod',
    pid: process.pid,
    uptime: process.uptime(),
    localTime: new Date(),
    connections: { current: connections, available: 1_000 },
    repl: { setName: SET_NAME, isWritablePrimary: true, hosts: [address], primary: address, me: address },
    storageEngine: { name: 'documentdb', supportsCommittedReads: true, persistent: true },
    ok: 1,
  };
}

/** `replSetGetStatus`: one member, primary. */
export function replSetGetStatus(address: string): Document {
  const member = { _id: 0, name: address, health: 1, state: 1, stateStr: 'PRIMARY', self: true };
  return { set: SET_NAME, date: new Date(), myState: 1, members: [member], ok: 1 };
}
