import { DAY_SECONDS } from '@muster/contracts';
import type { Connection, mongo } from 'mongoose';
import type { InboxMark } from '../inbox/mark.ts';
import type { ParkedMessage } from '../inbox/parked.ts';
import type { StoredJob } from '../jobs/job.ts';
import type { StoredSchedule } from '../jobs/schedule.ts';
import type { OutboxRow } from '../outbox/emit.ts';
import type { LeaseRow } from '../process/lease.ts';

interface Index {
  keys: Record<string, 1>;
  options?: mongo.CreateIndexesOptions;
}

/**
 * What messaging keeps in a service's database. The outbox and unscheduled jobs are found by a marker that exists only
 * while there is something to do, so looking costs what the backlog costs, not what the history does.
 */
const INDEXES: Record<string, readonly Index[]> = {
  outbox: [
    { keys: { pending: 1 }, options: { sparse: true } },
    { keys: { published_at: 1 }, options: { expireAfterSeconds: 7 * DAY_SECONDS } },
  ],
  inbox: [{ keys: { handled_at: 1 }, options: { expireAfterSeconds: 30 * DAY_SECONDS } }],
  parked_messages: [
    {
      keys: { org_id: 1, _id: 1 },
      options: { partialFilterExpression: { parked_at: { $exists: true } } },
    },
    { keys: { replayed_at: 1 }, options: { expireAfterSeconds: 30 * DAY_SECONDS } },
  ],
  jobs: [
    { keys: { unscheduled: 1 }, options: { sparse: true } },
    { keys: { state: 1, _id: 1 } },
    {
      keys: { org_id: 1, kind: 1, idempotency_key: 1 },
      options: { unique: true, partialFilterExpression: { idempotency_key: { $exists: true } } },
    },
    { keys: { finished_at: 1 }, options: { expireAfterSeconds: 30 * DAY_SECONDS } },
  ],
  schedules: [{ keys: { next_run_at: 1 } }],
  leases: [],
};

export interface Collections {
  outbox: mongo.Collection<OutboxRow>;
  inbox: mongo.Collection<InboxMark>;
  parked: mongo.Collection<ParkedMessage>;
  jobs: mongo.Collection<StoredJob>;
  schedules: mongo.Collection<StoredSchedule>;
  leases: mongo.Collection<LeaseRow>;
}

/** Messaging's collections on a connection. Their `_id` is unique by itself; it carries every de-duplication here. */
export function collectionsOf(connection: Connection): Collections {
  const db = database(connection);
  return {
    outbox: db.collection('outbox'),
    inbox: db.collection('inbox'),
    parked: db.collection('parked_messages'),
    jobs: db.collection('jobs'),
    schedules: db.collection('schedules'),
    leases: db.collection('leases'),
  };
}

/**
 * Creates the collections and their indexes, and looks whether they are there. Several processes may do so at once.
 * @throws Error that names an index the engine did not make
 */
export async function prepareCollections(connection: Connection): Promise<void> {
  const db = database(connection);
  for (const [name, indexes] of Object.entries(INDEXES)) {
    await db.createCollection(name).catch(ignoreExisting);
    for (const { keys, options } of indexes) await db.collection(name).createIndex(keys, options);
    const made = await db.collection(name).indexes();
    for (const { keys } of indexes) {
      if (!made.some((index) => JSON.stringify(index.key) === JSON.stringify(keys)))
        throw new Error(`The database did not make the index ${JSON.stringify(keys)} of ${name}`);
    }
  }
}

function database(connection: Connection): mongo.Db {
  if (!connection.db) throw new Error('Messaging needs an open MongoDB connection: await asPromise() first');
  return connection.db;
}

const NAMESPACE_EXISTS = 48;

function ignoreExisting(error: unknown): void {
  if ((error as { code?: unknown }).code !== NAMESPACE_EXISTS) throw error;
}
