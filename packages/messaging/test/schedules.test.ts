import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { v7 } from 'uuid';
import { z } from 'zod';
import { inTransaction, type NewSchedule } from '../src/index.ts';
import { type Bench, bench, FAST, type Process, until } from './bench.ts';
import { jobKind } from './declared.ts';

let at: Bench;
beforeAll(async () => {
  at = await bench('schedules');
});
afterAll(() => at.cleanup());

const MINUTE_MS = 60_000;
/** Everything that may look for due work looks all the time. */
const timings = { ...FAST, reconcileMs: 25 };

const ticking = jobKind({
  kind: 'tick',
  payload: z.object({ name: z.string(), ms: z.int().default(0) }),
  async run(context, { name, ms }) {
    await sleep(ms);
    return await context.transaction(async ({ db, session }) => {
      const job = context.jobId;
      await db.collection('ticks').updateOne({ job }, { $set: { name } }, { session, upsert: true });
      return null;
    });
  },
});
const start = (more = {}) => at.run('exercises', { jobs: [ticking], timings, ...more });

const schedule = ({ connection, messaging }: Process, given: Partial<NewSchedule> & { id: string }) =>
  inTransaction(connection, (session) =>
    messaging.schedule(session, {
      org: 'o1',
      kind: 'tick',
      payload: { name: given.id },
      everyMinutes: 60,
      ...given,
    }),
  );
const rows = ({ connection }: Process) =>
  connection.collection<{ _id: string; next_run_at: Date }>('schedules');
const rowOf = (process: Process, id: string) => rows(process).findOne({ _id: `o1/${id}` });
const ticks = (process: Process, name: string) =>
  process.connection.collection('ticks').countDocuments({ name });
const jobs = ({ connection }: Process, name: string) =>
  connection.collection('jobs').countDocuments({ kind: 'tick', payload: new RegExp(`"${name}"`) });
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS);
const isOne = (count: number) => count === 1;

describe('recurring work', () => {
  test('runs when it is due, and comes next after about one interval', async () => {
    const exercises = await start();
    const id = v7();
    await schedule(exercises, { id, next: minutesAgo(1) });
    await until(() => ticks(exercises, id), isOne);
    const wait = ((await rowOf(exercises, id))?.next_run_at.getTime() ?? 0) - Date.now();
    expect(wait).toBeGreaterThan(54 * MINUTE_MS);
    expect(wait).toBeLessThan(63 * MINUTE_MS);
    await exercises.stop();
  });

  test('what was missed while nobody was there is made up once', async () => {
    const exercises = await start();
    const id = v7();
    await schedule(exercises, { id, everyMinutes: 1, next: minutesAgo(600) });
    await until(() => ticks(exercises, id), isOne);
    await sleep(500);
    expect([await ticks(exercises, id), await jobs(exercises, id)]).toEqual([1, 1]);
    await exercises.stop();
  });

  test('set again, it keeps its next run at the same pace, and moves it at another', async () => {
    const exercises = await start();
    const id = v7();
    const first = await schedule(exercises, { id });
    expect(await schedule(exercises, { id, payload: { name: 'other' } })).toEqual(first);
    const sooner = await schedule(exercises, { id, everyMinutes: 15 });
    expect(sooner.getTime()).toBeLessThan(first.getTime());
    expect(await rows(exercises).countDocuments({ _id: `o1/${id}` })).toBe(1);
    await exercises.stop();
  });

  test('paused or ended it does not run; resumed it makes up for what it missed', async () => {
    const exercises = await start();
    const [paused, ended] = [v7(), v7()];
    await schedule(exercises, { id: paused, next: minutesAgo(1), paused: true });
    await schedule(exercises, { id: ended, next: new Date(Date.now() + MINUTE_MS) });
    const unschedule = (org: string) =>
      inTransaction(exercises.connection, (session) =>
        exercises.messaging.unschedule(session, { org, id: ended }),
      );
    expect([await unschedule('o2'), await unschedule('o1'), await unschedule('o1')]).toEqual([
      ...[false, true, false],
    ]);
    await sleep(300);
    expect([await jobs(exercises, paused), await jobs(exercises, ended)]).toEqual([0, 0]);
    await schedule(exercises, { id: paused });
    await until(() => ticks(exercises, paused), isOne);
    await exercises.stop();
  });

  test('a run that is not over yet stands for the next one too', async () => {
    const exercises = await start();
    const id = v7();
    await schedule(exercises, { id, payload: { name: id, ms: 1_500 }, next: minutesAgo(1) });
    await until(() => jobs(exercises, id), isOne);
    await schedule(exercises, { id, payload: { name: id }, next: minutesAgo(1) });
    await until(
      async () => (await rowOf(exercises, id))?.next_run_at ?? new Date(0),
      (next) => next > new Date(),
    );
    expect(await jobs(exercises, id)).toBe(1);
    await until(() => ticks(exercises, id), isOne);
    await schedule(exercises, { id, payload: { name: id }, next: minutesAgo(1) });
    await until(
      () => ticks(exercises, id),
      (count) => count === 2,
    );
    await exercises.stop();
  });

  test('of an unknown kind, a wrong payload or an impossible pace is refused, and rolled back with its command', async () => {
    const exercises = await start();
    const id = v7();
    await expect(schedule(exercises, { id, kind: 'dance' })).rejects.toThrow('called dance');
    await expect(schedule(exercises, { id, payload: { name: 1 } })).rejects.toThrow(/tick: name/);
    await expect(schedule(exercises, { id, everyMinutes: 0 })).rejects.toThrow('not every 0');
    const command = inTransaction(exercises.connection, async (session) => {
      const payload = { name: id };
      await exercises.messaging.schedule(session, { id, org: 'o1', kind: 'tick', payload, everyMinutes: 5 });
      throw new Error('rolled back');
    });
    await expect(command).rejects.toThrow('rolled back');
    expect(await rowOf(exercises, id)).toBeNull();
    await exercises.stop();
  });

  test('one that cannot be run any more does not hold back the others', async () => {
    const exercises = await start();
    const [broken, good] = [v7(), v7()];
    await schedule(exercises, { id: broken, next: new Date(Date.now() + 500) });
    await rows(exercises).updateOne({ _id: `o1/${broken}` }, { $set: { payload: '{"name":7}' } as object });
    await schedule(exercises, { id: good, next: new Date(Date.now() + 600) });
    await until(() => ticks(exercises, good), isOne);
    expect(await jobs(exercises, broken)).toBe(0);
    await inTransaction(exercises.connection, (session) =>
      exercises.messaging.unschedule(session, { org: 'o1', id: broken }),
    );
    await exercises.stop();
  });
});

describe('each run is enqueued exactly once', () => {
  test('whichever replicas race for it, also when all believe that they are the one to look', async () => {
    // Leases that nobody gets to see as taken: a frozen owner that wakes up is such a one.
    const forgetful = { ...timings, leaseStaleMs: 60_000 };
    const replicas = await Promise.all([1, 2, 3].map(() => start({ timings: forgetful })));
    const [first] = replicas;
    if (!first) throw new Error('no replica');
    const leases = first.connection.collection<{ _id: string }>('leases');
    const stealing = setInterval(() => void leases.deleteMany({}).catch(() => undefined), 20);
    const ids = Array.from({ length: 20 }, () => v7());
    const next = new Date(Date.now() + 700);
    for (const id of ids) await schedule(first, { id, next });
    for (const id of ids) await until(() => ticks(first, id), isOne);
    await sleep(500);
    clearInterval(stealing);
    for (const id of ids) expect([id, await jobs(first, id), await ticks(first, id)]).toEqual([id, 1, 1]);
    await Promise.all(replicas.map((replica) => replica.stop()));
  });

  test('over a restart', async () => {
    const before = await start({ role: 'api' });
    const [due, later] = [v7(), v7()];
    await schedule(before, { id: later });
    await schedule(before, { id: due, next: minutesAgo(1) });
    await until(() => jobs(before, due), isOne);
    await before.stop();
    const after = await start();
    await until(() => ticks(after, due), isOne);
    await sleep(300);
    expect([await jobs(after, due), await jobs(after, later)]).toEqual([1, 0]);
    await after.stop();
  });

  test('after Redis was wiped, which never knew of the schedule', async () => {
    const exercises = await start();
    const id = v7();
    await schedule(exercises, { id, next: new Date(Date.now() + 500) });
    const redis = new Redis(at.engines.redisUrl);
    const keys = await redis.keys(`${at.engines.redisPrefix}*`);
    await redis.unlink(...keys);
    await until(() => ticks(exercises, id), isOne);
    await redis.unlink(...(await redis.keys(`${at.engines.redisPrefix}*`)));
    redis.disconnect();
    await schedule(exercises, { id, next: minutesAgo(1) });
    await until(
      () => ticks(exercises, id),
      (count) => count === 2,
    );
    expect(await jobs(exercises, id)).toBe(2);
    await exercises.stop();
  });
});
