import { type EventDeclaration, events, SERVICES, subscriptions } from '@muster/contracts';
import { createMessaging, newEvent } from '@muster/messaging';
import { createLog, createMetrics, transaction } from '@muster/service-kit';
import { eventually } from '@muster/testing';
import mongoose from 'mongoose';
import { v7 } from 'uuid';
import type { Identity } from './identity.fixture.ts';

/** An event as another service would tell it. */
export interface Told {
  declaration: EventDeclaration;
  org: string;
  data: unknown;
}

/** Publishes events of exercises through an outbox of its own, on the broker that an identity under test listens to. */
export async function publishAsExercises(
  { env }: Pick<Identity, 'env'>,
  told: readonly Told[],
): Promise<void> {
  const { MONGODB_URI = '', MONGODB_DB, AMQP_URL = '', REDIS_URL = '', REDIS_PREFIX = '' } = env;
  const connection = await mongoose
    .createConnection(MONGODB_URI, { dbName: `${MONGODB_DB}_exercises` })
    .asPromise();
  const listened = SERVICES.map((name) => [name, subscriptions[name]?.map(({ type }) => type) ?? []]);
  const messaging = createMessaging({
    service: 'exercises',
    connection,
    amqpUrl: AMQP_URL,
    redisUrl: REDIS_URL,
    redisPrefix: REDIS_PREFIX,
    role: 'api',
    log: createLog('exercises', 'silent'),
    registry: createMetrics('exercises').registry,
    catalogue: events,
    subscriptions: Object.fromEntries(listened),
    consumers: [],
    jobs: [],
  });
  try {
    await messaging.prepare();
    await messaging.start();
    await transaction({ connection, messaging }, (session) =>
      messaging.emit(
        session,
        told.map(({ declaration, org, data }) =>
          newEvent(declaration, { org, subject: v7(), seq: 1, data: data as never }),
        ),
      ),
    );
    await eventually(async () => {
      const waiting = await connection.collection('outbox').countDocuments({ pending: { $exists: true } });
      if (waiting > 0) throw new Error(`${waiting} events are not published yet`);
    });
  } finally {
    await messaging.stop();
    await connection.dropDatabase();
    await connection.close();
  }
}
