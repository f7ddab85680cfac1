import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { CloudEvent } from '@muster/contracts';
import { type Bench, bench, changed, commit, event, type Process, until } from './bench.ts';
import { endChild, startChild } from './child.ts';
import { batchConsumer, consumer } from './declared.ts';

let at: Bench;
beforeEach(async () => {
  at = await bench('batch');
});
afterEach(() => at.cleanup());

const subscriptions = { twin: [changed.type] };
const order = { order: 'organization' } as const;
const sums = async ({ connection }: Process) =>
  (await connection.db?.collection('sums').find({}).sort({ _id: 1 }).toArray()) ?? [];
const COUNT = 60;
const waiting = () =>
  Array.from({ length: COUNT }, (_, at) => event(`thing${String(at).padStart(2, '0')}`, at));

/** Writes down how many came together, and each of them. */
function summing(sizes: number[], react: (one: CloudEvent) => void = () => undefined) {
  return batchConsumer(
    changed,
    async (events, { db, session }) => {
      sizes.push(events.length);
      for (const one of events) {
        react(one);
        const key = { _id: one.subject as never, org_id: one.orgid };
        await db.collection('sums').updateOne(key, { $inc: { sum: 1 } }, { session, upsert: true });
      }
    },
    order,
  );
}

/** Publishes while nobody reads, so that all of it waits. */
async function waitingFor(events: ReturnType<typeof waiting>): Promise<void> {
  const exercises = await at.run('exercises', { subscriptions });
  await commit(exercises, events);
  const outbox = exercises.connection.collection('outbox');
  await until(
    () => outbox.countDocuments({ published_at: { $exists: true } }),
    (published) => published === events.length,
  );
  await exercises.stop();
}

test('what waits is taken together, each event once, whoever else listens', async () => {
  await waitingFor(waiting());
  const sizes: number[] = [];
  const seen: string[] = [];
  const other = consumer(changed, async ({ subject }) => void seen.push(subject), {
    ...order,
    name: 'other',
  });
  const twin = await at.run('twin', { consumers: [summing(sizes), other] });
  const rows = await until(
    () => sums(twin),
    ({ length }) => length === COUNT,
  );
  expect(rows.every(({ sum }) => sum === 1)).toBe(true);
  expect(Math.max(...sizes)).toBeGreaterThan(10);
  expect(seen).toEqual(seen.toSorted());
  await twin.stop();
});

test('a poisoned event harms itself alone, a repeated one nobody', async () => {
  const events = waiting();
  const [repeated = event('never', 1)] = events;
  await waitingFor([...events, event('poison', 1)]);
  const twin = await at.run('twin', {
    consumers: [
      summing([], ({ subject }) => {
        if (subject === 'poison') throw new Error('the soup is cold');
      }),
    ],
  });
  const exercises = await at.run('exercises', { subscriptions });
  await exercises.messaging.outbox.republish();
  const parked = await until(twin.messaging.parked.list, ({ length }) => length === 1);
  expect(parked).toMatchObject([{ subject: 'poison', reason: 'the soup is cold' }]);
  const rows = await until(
    () => sums(twin),
    ({ length }) => length === COUNT,
  );
  await until(
    async () => (await twin.registry.getSingleMetric('events_consumed_total')?.get())?.values ?? [],
    (values) => values.some(({ labels, value }) => labels.result === 'duplicate' && value >= COUNT),
  );
  expect(rows.find(({ _id }) => String(_id) === repeated.subject)?.sum).toBe(1);
  expect((await sums(twin)).every(({ sum }) => sum === 1)).toBe(true);
  await Promise.all([twin.stop(), exercises.stop()]);
});

test('a process that dies while it takes a batch leaves nothing half done', async () => {
  await waitingFor([...waiting(), event('poison', 1, 'poison once')]);
  const child = startChild('batch eater', at.engines);
  expect(await once(child, 'exit')).toEqual([1, null]);
  const twin = await at.run('twin', { consumers: [summing([])] });
  const rows = await until(
    () => sums(twin),
    ({ length }) => length === COUNT + 1,
  );
  expect(rows.every(({ sum }) => sum === 1)).toBe(true);
  await twin.stop();
  await endChild(child);
});
