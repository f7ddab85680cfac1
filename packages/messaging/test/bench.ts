import { setTimeout as sleep } from 'node:timers/promises';
import { defineEvent, type ServiceName } from '@muster/contracts';
import type { TestEngines } from '@muster/devstack';
import mongoose, { type Connection } from 'mongoose';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { v7 } from 'uuid';
import { z } from 'zod';
import {
  type Consumer,
  createMessaging,
  inTransaction,
  type JobKind,
  type Messaging,
  type MessagingOptions,
  type NewEvent,
  newEvent,
} from '../src/index.ts';

export const changed = defineEvent({
  type: 'exercises.thing.changed.v1',
  source: 'exercises',
  summary: 'A thing changed.',
  aggregate: 'thing',
  data: z.object({ n: z.int(), text: z.string().default('') }),
  example: { n: 1 },
});
export const unheard = defineEvent({
  type: 'exercises.thing.whispered.v1',
  source: 'exercises',
  summary: 'Nobody listens to this.',
  aggregate: 'thing',
  data: z.object({ n: z.int() }),
  example: { n: 1 },
});

export const FAST = {
  retryDelaysMs: [100, 200],
  relayPollMs: 50,
  confirmMs: 1_000,
  leaseBeatMs: 100,
  leaseStaleMs: 600,
  watchdogMs: 5_000,
  heartbeatMs: 10_000,
  reconnectMs: 500,
  dispatchPollMs: 100,
  jobBeatMs: 100,
  reconcileMs: 200,
  overdueMs: 300,
  watchMs: 50,
  stopMs: 10_000,
};

/** One service's process, without the process. */
export interface Process {
  connection: Connection;
  messaging: Messaging;
  registry: Registry;
  stop(): Promise<void>;
}

/** Engines of a test file, and processes on them. */
export interface Bench {
  engines: TestEngines;
  run(service: ServiceName, more?: Partial<MessagingOptions> & { mongodbUri?: string }): Promise<Process>;
  cleanup(): Promise<void>;
}

export async function bench(name: string): Promise<Bench> {
  // Only here: the children, which are given their engines, start faster without it.
  const { testEngines } = await import('@muster/devstack');
  return benchOn(await testEngines(`messaging ${name}`));
}

/** Processes on engines that another process made. */
export function benchOn(engines: TestEngines): Bench {
  const processes = new Set<Process>();
  return {
    engines,
    async run(service, { mongodbUri = engines.mongodbUri, ...more } = {}) {
      const connection = mongoose.createConnection(mongodbUri, {
        dbName: `${engines.mongodbDb}_${service}`,
        serverSelectionTimeoutMS: 2_000,
      });
      await connection.asPromise();
      const registry = new Registry();
      const messaging = createMessaging({
        service,
        connection,
        amqpUrl: engines.amqpUrl,
        redisUrl: engines.redisUrl,
        redisPrefix: engines.redisPrefix,
        role: 'all',
        log: pino({ level: process.env.MESSAGING_LOG ?? 'silent' }),
        registry,
        consumers: [],
        jobs: [],
        catalogue: [changed, unheard],
        timings: FAST,
        ...more,
      });
      await messaging.prepare();
      await messaging.start();
      const made: Process = {
        connection,
        messaging,
        registry,
        async stop() {
          if (!processes.delete(made)) return;
          await messaging.stop();
          await connection.close();
        },
      };
      processes.add(made);
      return made;
    },
    async cleanup() {
      await Promise.all([...processes].map((made) => made.stop()));
      const client = new mongoose.mongo.MongoClient(engines.mongodbUri);
      const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
      for (const database of databases) {
        if (database.name.startsWith(`${engines.mongodbDb}_`)) await client.db(database.name).dropDatabase();
      }
      await client.close();
      await engines.cleanup();
    },
  };
}

/** Commits events, as a use case does. */
export async function commit({ connection, messaging }: Process, events: readonly NewEvent[]): Promise<void> {
  await inTransaction(connection, (session) => messaging.emit(session, events));
  messaging.nudge();
}

/** Commits a job, as a command does. */
export async function order(
  { connection, messaging }: Process,
  job: { kind: string; payload?: unknown; org?: string; idempotencyKey?: string },
): Promise<string> {
  const id = await inTransaction(connection, (session) =>
    messaging.enqueue(session, { org: 'o1', payload: {}, ...job }),
  );
  messaging.nudge();
  return id;
}

export const event = (subject: string, seq: number, text = '') =>
  newEvent(changed, { org: 'o1', subject, seq, data: { n: seq, text }, id: v7() });

/** Waits until the condition holds; fails with the last value after `ms`. */
export async function until<T>(
  read: () => Promise<T> | T,
  good: (value: T) => boolean,
  ms = 20_000,
): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const value = await read();
    if (good(value)) return value;
    if (Date.now() > end) throw new Error(`Still ${JSON.stringify(value)} after ${ms} ms`);
    await sleep(20);
  }
}

/** A consumer that appends each event to `seen` and counts it in the database, in its transaction. */
export function counting(
  consumerOf: (handle: Consumer['handle']) => Consumer,
  seen: string[] = [],
): Consumer {
  return consumerOf(async (received, tx) => {
    seen.push(`${received.subject}:${received.seq}`);
    const key = { _id: received.subject as never, org_id: received.orgid };
    await tx.db
      .collection('counts')
      .updateOne(key, { $inc: { applied: 1 } }, { session: tx.session, upsert: true });
  });
}

export type { JobKind };

/** Waits until a process sees its engine in this state. */
export async function becomes(
  { messaging }: Process,
  engine: 'amqp' | 'redis',
  status: 'ok' | 'degraded',
): Promise<void> {
  await until(
    () => messaging.health()[engine].status,
    (now) => now === status,
  );
}
