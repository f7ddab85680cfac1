import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { faultProxy, targetOf, through } from '@muster/devstack';
import { connect } from 'amqplib';
import { inTransaction, newEvent } from '../src/index.ts';
import {
  type Bench,
  becomes,
  bench,
  changed,
  commit,
  event,
  FAST,
  type Process,
  unheard,
  until,
} from './bench.ts';
import { consumer } from './declared.ts';

let at: Bench;
beforeAll(async () => {
  at = await bench('outbox');
});
afterAll(() => at.cleanup());

const subscriptions = { twin: [changed.type] };

/** A service that notes each delivery, and each event it applied. */
async function listener() {
  const applied: string[] = [];
  const deliveries: string[] = [];
  const twin = await at.run('twin', {
    consumers: [
      consumer(changed, async (received, tx) => {
        deliveries.push(received.id);
        await tx.db.collection('applied').insertOne({ event: received.id }, { session: tx.session });
        applied.push(`${received.subject}:${received.seq}`);
      }),
    ],
  });
  return {
    twin,
    applied,
    deliveries,
    stored: () => twin.connection.db?.collection('applied').countDocuments(),
  };
}

const pending = ({ connection }: Process) =>
  connection.db?.collection('outbox').countDocuments({ pending: { $gt: '' } });

describe('the outbox', () => {
  test('an aborted transaction leaves no event', async () => {
    const exercises = await at.run('exercises');
    const failing = inTransaction(exercises.connection, async (session) => {
      await exercises.messaging.emit(session, [event('aborted', 1)]);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    const rows = await exercises.connection.db?.collection('outbox').countDocuments({ org_id: 'o1' });
    expect(rows).toBe(0);
    await exercises.stop();
  });

  test('an event that does not fit its declaration is refused, and with it the transaction', async () => {
    const exercises = await at.run('exercises');
    const wrong = newEvent(changed, { org: 'o1', subject: 's', seq: 1, data: { n: 1.5 } });
    await expect(commit(exercises, [wrong])).rejects.toThrow(/exercises.thing.changed.v1 .*n:/);
    const twin = await at.run('twin');
    await expect(commit(twin, [event('s', 1)])).rejects.toThrow("exercises's event; twin cannot emit it");
    const outside = exercises.connection.getClient().startSession();
    await expect(exercises.messaging.emit(outside, [event('s', 1)])).rejects.toThrow('in the transaction');
    await outside.endSession();
    await Promise.all([exercises.stop(), twin.stop()]);
  });

  test('publishes in order per aggregate, and loses nothing when its connection is cut again and again', async () => {
    const { twin, applied, stored } = await listener();
    const proxy = await faultProxy(targetOf(at.engines.amqpUrl));
    const exercises = await at.run('exercises', {
      subscriptions,
      amqpUrl: through(at.engines.amqpUrl, proxy),
    });
    let cuts = 0;
    const cutting = setInterval(() => {
      cuts += 1;
      proxy.set('reset');
      setTimeout(() => proxy.set('pass'), 100);
    }, 400);
    for (let seq = 1; seq <= 60; seq += 1) {
      const batch = Array.from({ length: 10 }, (_, aggregate) => event(`cut${aggregate}`, seq));
      await commit(exercises, batch);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    clearInterval(cutting);
    await until(stored, (count) => count === 600, 30_000);
    expect(cuts).toBeGreaterThan(3);
    for (let aggregate = 0; aggregate < 10; aggregate += 1) {
      const own = applied.filter((seen) => seen.startsWith(`cut${aggregate}:`));
      expect(own).toEqual(Array.from({ length: 60 }, (_, index) => `cut${aggregate}:${index + 1}`));
    }
    await until(
      () => pending(exercises),
      (count) => count === 0,
    );
    await Promise.all([twin.stop(), exercises.stop(), proxy.close()]);
  });

  test('lost confirms deliver twice and apply once; the way back needs no restart', async () => {
    const { twin, stored } = await listener();
    const before = (await stored()) ?? 0;
    const proxy = await faultProxy(targetOf(at.engines.amqpUrl));
    const exercises = await at.run('exercises', {
      subscriptions,
      amqpUrl: through(at.engines.amqpUrl, proxy),
    });
    await becomes(exercises, 'amqp', 'ok');
    proxy.set('drop');
    await commit(
      exercises,
      Array.from({ length: 20 }, (_, index) => event(`lost${index}`, 1)),
    );
    await until(stored, (count) => count === before + 20);
    expect(await pending(exercises)).toBe(20);
    proxy.set('pass');
    await until(
      () => pending(exercises),
      (count) => count === 0,
      30_000,
    );
    const duplicates = async () => {
      const metric = await twin.registry.getSingleMetric('events_consumed_total')?.get();
      return metric?.values.find(({ labels }) => labels.result === 'duplicate')?.value ?? 0;
    };
    await until(duplicates, (count) => count >= 20);
    expect(await stored()).toBe(before + 20);
    await Promise.all([twin.stop(), exercises.stop(), proxy.close()]);
  });

  test('a silent connection heals in seconds', async () => {
    const { twin, stored } = await listener();
    const before = (await stored()) ?? 0;
    const proxy = await faultProxy(targetOf(at.engines.amqpUrl));
    const exercises = await at.run('exercises', {
      subscriptions,
      amqpUrl: through(at.engines.amqpUrl, proxy),
    });
    await becomes(exercises, 'amqp', 'ok');
    proxy.set('blackhole');
    await commit(exercises, [event('silent', 1)]);
    await until(
      () => exercises.messaging.health().amqp.status,
      (status) => status === 'degraded',
      5_000,
    );
    proxy.set('pass');
    await until(stored, (count) => count === before + 1, 15_000);
    await Promise.all([twin.stop(), exercises.stop(), proxy.close()]);
  });

  test('what nobody consumes is published all the same; what somebody consumes waits for its queue to be declared again', async () => {
    const exercises = await at.run('exercises', { subscriptions: { compliance: [changed.type] } });
    const whisper = newEvent(unheard, { org: 'o1', subject: 'w', seq: 1, data: { n: 1 } });
    await commit(exercises, [whisper]);
    await until(
      () => pending(exercises),
      (count) => count === 0,
    );

    const connection = await connect(at.engines.amqpUrl);
    const channel = await connection.createChannel();
    await channel.unbindQueue('compliance.events', 'domain.events', changed.type);
    await channel.deleteQueue('twin.events');
    await channel.deleteExchange('domain.events');
    await commit(exercises, [event('routed', 1)]);
    await until(
      () => pending(exercises),
      (count) => count === 0,
    );
    const { messageCount } = await channel.checkQueue('compliance.events');
    expect(messageCount).toBe(1);
    await connection.close();
    await exercises.stop();
  });

  test('a repeated outbox applies nothing twice', async () => {
    const { twin, deliveries, stored } = await listener();
    const exercises = await at.run('exercises', { subscriptions });
    const before = (await stored()) ?? 0;
    const since = new Date();
    await commit(
      exercises,
      Array.from({ length: 30 }, (_, index) => event(`again${index}`, 1)),
    );
    await until(stored, (count) => count === before + 30);
    await until(
      () => pending(exercises),
      (count) => count === 0,
    );
    const heard = deliveries.length;
    for (let times = 0; times < 2; times += 1) {
      expect(await exercises.messaging.outbox.republish({ since, types: [changed.type] })).toBe(30);
      await until(
        () => pending(exercises),
        (count) => count === 0,
      );
    }
    const consumed = async () => {
      const metric = await twin.registry.getSingleMetric('events_consumed_total')?.get();
      return metric?.values.find(({ labels }) => labels.result === 'duplicate')?.value ?? 0;
    };
    await until(consumed, (count) => count >= 60);
    expect(deliveries.length).toBe(heard);
    expect(await stored()).toBe(before + 30);
    await Promise.all([twin.stop(), exercises.stop()]);
  });
});

describe('the relay', () => {
  const owner = async ({ connection }: Process) =>
    (await connection.db?.collection('leases').findOne({ _id: 'outbox-relay' as never }))?.owner as
      | string
      | null;

  test('one process acts; when it stops the next takes over at once', async () => {
    const first = await at.run('exercises', { subscriptions });
    await until(
      () => owner(first),
      (name) => typeof name === 'string',
    );
    const leader = await owner(first);
    const second = await at.run('exercises', { subscriptions });
    await commit(second, [event('two', 1)]);
    await until(
      () => pending(second),
      (count) => count === 0,
    );
    expect(await owner(second)).toBe(leader);

    await first.stop();
    await until(
      () => owner(second),
      (name) => name !== null && name !== leader,
      1_000,
    );
    await commit(second, [event('two', 2)]);
    await until(
      () => pending(second),
      (count) => count === 0,
    );
    await second.stop();
  });

  test('a leader that vanished is replaced when its beat has stood still', async () => {
    const exercises = await at.run('exercises', { subscriptions });
    await until(
      () => owner(exercises),
      (name) => typeof name === 'string',
    );
    await exercises.stop();
    const challenger = await at.run('exercises', {
      subscriptions,
      timings: { ...FAST, leaseStaleMs: 1_500 },
    });
    const leases = challenger.connection.db?.collection('leases');
    const vanish = { $set: { owner: 'vanished' }, $inc: { beat: 1 } };
    await leases?.updateOne({ _id: 'outbox-relay' as never }, vanish);
    const since = performance.now();
    await until(
      () => owner(challenger),
      (name) => name !== 'vanished',
    );
    expect(performance.now() - since).toBeGreaterThan(1_400);
    await commit(challenger, [event('after', 1)]);
    await until(
      () => pending(challenger),
      (count) => count === 0,
    );
    await challenger.stop();
  });
});
