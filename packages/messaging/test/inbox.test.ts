import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CloudEvent } from '@muster/contracts';
import { faultProxy, targetOf, through } from '@muster/devstack';
import { connect } from 'amqplib';
import { type Bench, becomes, bench, changed, commit, event, FAST, type Process, until } from './bench.ts';
import { consumer } from './declared.ts';

let at: Bench;
beforeAll(async () => {
  at = await bench('inbox');
});
afterAll(() => at.cleanup());

const subscriptions = { twin: [changed.type] };

/** Puts messages into the service's queue as a broker that repeats and shuffles would. */
async function deliver(events: readonly CloudEvent[], headers = {}): Promise<void> {
  await deliverRaw(
    events.map((sent) => JSON.stringify(sent)),
    headers,
  );
}

async function deliverRaw(bodies: readonly string[], headers = {}): Promise<void> {
  const connection = await connect(at.engines.amqpUrl);
  const channel = await connection.createConfirmChannel();
  for (const body of bodies)
    channel.sendToQueue('twin.events', Buffer.from(body), { persistent: true, headers });
  await channel.waitForConfirms();
  await connection.close();
}

const cloud = (subject: string, seq: number, text = ''): CloudEvent => {
  const { id, time } = event(subject, seq);
  return {
    specversion: '1.0',
    id,
    time,
    source: '/exercises',
    type: changed.type,
    subject,
    datacontenttype: 'application/json',
    orgid: 'o1',
    seq,
    data: { n: seq, text },
  };
};

const adding = consumer(changed, async (received, { db, session }) => {
  const key = { _id: received.subject as never, org_id: received.orgid };
  await db.collection('sums').updateOne(key, { $inc: { sum: received.data.n } }, { session, upsert: true });
});

const stored = async ({ connection }: Process, collection: string, id: string) =>
  (await connection.db?.collection(collection).findOne({ _id: id as never })) ?? undefined;

async function count(process: Process, result: string): Promise<number> {
  const metric = await process.registry.getSingleMetric('events_consumed_total')?.get();
  return (metric?.values ?? [])
    .filter(({ labels }) => labels.result === result)
    .reduce((sum, { value }) => sum + value, 0);
}

describe('duplicates', () => {
  test('are applied once', async () => {
    const twin = await at.run('twin', { consumers: [adding] });
    await becomes(twin, 'amqp', 'ok');
    const sent = cloud('once', 7);
    await deliver([sent, sent, sent, sent]);
    await until(
      () => count(twin, 'duplicate'),
      (duplicates) => duplicates === 3,
    );
    expect((await stored(twin, 'sums', 'once'))?.sum).toBe(7);
    await twin.stop();
  });

  test('would be applied again without the inbox: the control that must turn red', async () => {
    const twin = await at.run('twin', { consumers: [adding], faults: { skipInbox: true } });
    await becomes(twin, 'amqp', 'ok');
    const sent = cloud('twice', 7);
    await deliver([sent, sent]);
    const row = await until(
      () => stored(twin, 'sums', 'twice'),
      (found) => (found?.sum ?? 0) > 7,
    );
    expect(row?.sum).toBe(14);
    await twin.stop();
  });
});

describe('failures', () => {
  test('are tried at once, then later, then parked with the reason, and can be replayed', async () => {
    let broken = true;
    let tries = 0;
    const failing = consumer(changed, async (received, { db, session }) => {
      tries += 1;
      await db.collection('kept').insertOne({ _id: received.id as never }, { session });
      if (broken) throw new Error('the soup is cold');
    });
    const steady = consumer(changed, adding.handle, { name: 'steady' });
    const twin = await at.run('twin', { consumers: [failing, steady] });
    const exercises = await at.run('exercises', { subscriptions });
    const sent = event('failing', 1);
    await commit(exercises, [sent]);
    const [parked] = await until(twin.messaging.parked.list, (list) => list.length === 1);
    expect(parked).toMatchObject({ id: sent.id, reason: 'the soup is cold', org_id: 'o1', attempts: 3 });
    // Three tries in the process, in the first delivery and after each of the two waits.
    expect(tries).toBe(9);
    expect((await stored(twin, 'sums', 'failing'))?.sum).toBe(1);
    expect(await stored(twin, 'kept', sent.id)).toBeUndefined();

    broken = false;
    await twin.messaging.parked.replay(sent.id);
    await until(
      () => stored(twin, 'kept', sent.id),
      (row) => row !== undefined,
    );
    expect(await twin.messaging.parked.list()).toEqual([]);
    await expect(twin.messaging.parked.replay('no such id')).rejects.toThrow(
      'No message no such id is parked',
    );
    await Promise.all([twin.stop(), exercises.stop()]);
  });

  test('a failure that passes costs one wait and no order of others', async () => {
    let failures = 4;
    const wobbling = consumer(changed, async (received, { db, session }) => {
      if (received.subject === 'wobbly' && failures-- > 0) throw new Error('not now');
      await db.collection('kept').insertOne({ _id: received.id as never }, { session });
    });
    const twin = await at.run('twin', { consumers: [wobbling] });
    const exercises = await at.run('exercises', { subscriptions });
    const [wobbly, steady] = [event('wobbly', 1), event('steady', 1)];
    await commit(exercises, [wobbly, steady]);
    await until(
      () => stored(twin, 'kept', wobbly.id),
      (row) => row !== undefined,
    );
    expect(await stored(twin, 'kept', steady.id)).toBeDefined();
    expect(await count(twin, 'retried')).toBe(1);
    expect(await twin.messaging.parked.list()).toEqual([]);
    await Promise.all([twin.stop(), exercises.stop()]);
  });

  test('what cannot be read is parked at once; what nobody here handles is let go', async () => {
    const twin = await at.run('twin', { consumers: [adding] });
    await becomes(twin, 'amqp', 'ok');
    await deliverRaw([
      '{not json',
      '{"specversion":"1.0"}',
      JSON.stringify({ ...cloud('odd', 1), data: { n: 'x' } }),
    ]);
    await deliver([{ ...cloud('other', 1), type: 'exercises.thing.renamed.v1' }]);
    const list = await until(twin.messaging.parked.list, (parked) => parked.length === 3);
    expect(list.map(({ reason }) => reason).sort()).toEqual(
      [
        'the data does not fit exercises.thing.changed.v1: n: Invalid input: expected number, received string',
        'the message is not JSON',
        'the message is not a CloudEvent of ours',
      ].sort(),
    );
    await until(
      () => count(twin, 'ignored'),
      (ignored) => ignored === 1,
    );
    await twin.connection.db?.collection('parked_messages').deleteMany({});
    await twin.stop();
  });
});

describe('coming back', () => {
  test('a deleted queue is declared again and read on', async () => {
    const twin = await at.run('twin', { consumers: [adding] });
    const exercises = await at.run('exercises', { subscriptions });
    await commit(exercises, [event('before', 1)]);
    await until(
      () => stored(twin, 'sums', 'before'),
      (row) => row !== undefined,
    );
    const connection = await connect(at.engines.amqpUrl);
    await (await connection.createChannel()).deleteQueue('twin.events');
    await connection.close();
    await commit(exercises, [event('behind', 1)]);
    await until(
      () => stored(twin, 'sums', 'behind'),
      (row) => row !== undefined,
    );
    await Promise.all([twin.stop(), exercises.stop()]);
  });

  test('a consuming connection that is cut comes back by itself', async () => {
    const proxy = await faultProxy(targetOf(at.engines.amqpUrl));
    const twin = await at.run('twin', { consumers: [adding], amqpUrl: through(at.engines.amqpUrl, proxy) });
    const exercises = await at.run('exercises', { subscriptions });
    for (let round = 1; round <= 3; round += 1) {
      await commit(exercises, [event(`cut${round}`, 5)]);
      proxy.set('reset');
      setTimeout(() => proxy.set('pass'), 200);
      const row = await until(
        () => stored(twin, 'sums', `cut${round}`),
        (found) => found !== undefined,
      );
      expect(row?.sum).toBe(5);
    }
    await Promise.all([twin.stop(), exercises.stop(), proxy.close()]);
  });

  test('so does one that is silent, which the watchdog finds out', async () => {
    const proxy = await faultProxy(targetOf(at.engines.amqpUrl));
    const timings = { ...FAST, watchdogMs: 1_000 };
    const twin = await at.run('twin', {
      consumers: [adding],
      timings,
      amqpUrl: through(at.engines.amqpUrl, proxy),
    });
    const exercises = await at.run('exercises', { subscriptions });
    await becomes(twin, 'amqp', 'ok');
    proxy.set('blackhole');
    await commit(exercises, [event('silent', 3)]);
    await becomes(twin, 'amqp', 'degraded');
    proxy.set('pass');
    const row = await until(
      () => stored(twin, 'sums', 'silent'),
      (found) => found !== undefined,
    );
    expect(row?.sum).toBe(3);
    await Promise.all([twin.stop(), exercises.stop(), proxy.close()]);
  });

  test('MongoDB away is no failed message: consumers wait, and no attempt is burned', async () => {
    const proxy = await faultProxy(targetOf(at.engines.mongodbUri));
    const uri = new URL(through(at.engines.mongodbUri, proxy));
    uri.search = '?directConnection=true';
    let tries = 0;
    const slow = consumer(changed, async (received, tx) => {
      tries += 1;
      await adding.handle(received, tx);
    });
    const twin = await at.run('twin', { consumers: [slow], mongodbUri: uri.href });
    const exercises = await at.run('exercises', { subscriptions });
    await commit(exercises, [event('calm', 1)]);
    await until(
      () => stored(twin, 'sums', 'calm'),
      (row) => row !== undefined,
    );
    proxy.set('reset');
    await commit(
      exercises,
      Array.from({ length: 30 }, (_, index) => event(`storm${index}`, 1)),
    );
    await until(
      () => twin.messaging.health().amqp.detail,
      (detail) => detail === 'MongoDB is away',
    );
    expect(tries).toBeLessThan(30);
    proxy.set('pass');
    await until(
      () => twin.connection.db?.collection('sums').countDocuments({ _id: /^storm/ as never }),
      (found) => found === 30,
      30_000,
    );
    expect(await count(twin, 'retried')).toBe(0);
    expect(await twin.messaging.parked.list()).toEqual([]);
    await Promise.all([twin.stop(), exercises.stop()]);
    await proxy.close();
  });
});
