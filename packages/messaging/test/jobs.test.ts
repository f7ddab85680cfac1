import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Job } from '@muster/contracts';
import { faultProxy, targetOf, through } from '@muster/devstack';
import { Redis } from 'ioredis';
import { z } from 'zod';
import { inTransaction } from '../src/index.ts';
import { type Bench, becomes, bench, event, FAST, order, type Process, until } from './bench.ts';
import { endChild, startChild } from './child.ts';
import { jobKind } from './declared.ts';
import { sleeping } from './sleeping.job.ts';

let at: Bench;
beforeAll(async () => {
  at = await bench('jobs');
});
afterAll(() => at.cleanup());

const never = () => new AbortController().signal;
const get = ({ messaging }: Process, id: string) => messaging.jobs.get('o1', id);
const ended = (process: Process, id: string, ms = 15_000) =>
  process.messaging.jobs.wait('o1', id, ms, never());
const backoff = { baseMs: 50, maxMs: 100 };

const greeting = jobKind({
  kind: 'greet',
  payload: z.object({ name: z.string() }),
  async run(context, { name }) {
    for (let done = 1; done <= 3; done += 1) {
      await context.progress(done, 3, `greeting ${name}`);
      await sleep(300);
    }
    return { href: `/greetings/${name}` };
  },
});

describe('a job', () => {
  test('runs, shows its progress, and gives its result', async () => {
    const exercises = await at.run('exercises', { jobs: [greeting] });
    const id = await order(exercises, { kind: 'greet', payload: { name: 'bo' } });
    const seen: Job[] = [];
    for await (const job of exercises.messaging.jobs.watch('o1', id, never())) seen.push(job);
    expect(seen.at(-1)).toMatchObject({
      id,
      kind: 'greet',
      status: 'succeeded',
      attempts: 1,
      error: null,
      result: { href: '/greetings/bo' },
    });
    const progress = seen.filter(({ status }) => status === 'running').map((job) => job.progress.done);
    expect(progress).toEqual([...progress].sort());
    expect(new Set(progress).size).toBeGreaterThan(1);
    await exercises.stop();
  });

  test('belongs to its organization', async () => {
    const exercises = await at.run('exercises', { jobs: [greeting] });
    const id = await order(exercises, { kind: 'greet', payload: { name: 'bo' } });
    expect(await exercises.messaging.jobs.get('o2', id)).toBeNull();
    expect(await exercises.messaging.jobs.cancel('o2', id)).toBeNull();
    for await (const job of exercises.messaging.jobs.watch('o2', id, never())) expect(job).toBeUndefined();
    await ended(exercises, id);
    await exercises.stop();
  });

  test('with a wrong payload or of an unknown kind is refused, and one that was rolled back never runs', async () => {
    let runs = 0;
    const counted = jobKind({
      kind: 'count',
      payload: z.object({ n: z.int() }),
      async run() {
        runs += 1;
        return null;
      },
    });
    const exercises = await at.run('exercises', { jobs: [counted] });
    await expect(order(exercises, { kind: 'count', payload: { n: 'x' } })).rejects.toThrow(/count: n:/);
    await expect(order(exercises, { kind: 'dance' })).rejects.toThrow('called dance');
    const rolledBack = inTransaction(exercises.connection, async (session) => {
      await exercises.messaging.enqueue(session, { kind: 'count', org: 'o1', payload: { n: 1 } });
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    exercises.messaging.nudge();
    const keyed = { kind: 'count', payload: { n: 1 }, idempotencyKey: 'k1' };
    const first = await order(exercises, keyed);
    expect(await order(exercises, keyed)).toBe(first);
    expect(await ended(exercises, first)).toMatchObject({ status: 'succeeded', result: null });
    await sleep(300);
    expect(runs).toBe(1);
    await exercises.stop();
  });

  test('that fails is tried again, then keeps a problem without a stack', async () => {
    const flaky = jobKind({
      kind: 'flaky',
      payload: z.object({ failures: z.int() }),
      attempts: 3,
      backoff,
      async run(context, { failures }) {
        if (context.attempt <= failures) throw new Error('secret detail of line 7');
        return { href: '/done' };
      },
    });
    const refused = jobKind({
      kind: 'refused',
      payload: z.object({}),
      backoff,
      run: () => Promise.reject(Object.assign(new Error('There is no such tenant.'), { code: 'not-found' })),
    });
    const exercises = await at.run('exercises', { jobs: [flaky, refused] });
    const [good, bad, final] = [
      await order(exercises, { kind: 'flaky', payload: { failures: 2 } }),
      await order(exercises, { kind: 'flaky', payload: { failures: 9 } }),
      await order(exercises, { kind: 'refused' }),
    ];
    expect(await ended(exercises, good)).toMatchObject({ status: 'succeeded', attempts: 3, error: null });
    const failed = await ended(exercises, bad);
    expect(failed).toMatchObject({ status: 'failed', attempts: 3, error: { status: 500 } });
    expect(JSON.stringify(failed)).not.toMatch(/secret|at .*\.ts/);
    expect(await ended(exercises, final)).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: { status: 404, detail: 'There is no such tenant.', instance: `/api/jobs/${final}` },
    });
    await exercises.stop();
  });

  test('that takes too long is stopped', async () => {
    const endless = jobKind({
      kind: 'endless',
      payload: z.object({}),
      attempts: 1,
      timeoutMs: 300,
      run: () => new Promise<null>(() => undefined),
    });
    const exercises = await at.run('exercises', { jobs: [endless] });
    const id = await order(exercises, { kind: 'endless' });
    expect(await ended(exercises, id)).toMatchObject({ status: 'failed', error: { status: 504 } });
    await exercises.stop();
  });

  test('that is cancelled ends at once, and its run changes nothing any more', async () => {
    let stopped = false;
    let fenced: unknown;
    const long = jobKind({
      kind: 'long',
      payload: z.object({}),
      async run(context) {
        await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
        stopped = true;
        fenced = await context
          .transaction(async (tx) => tx.emit(event('ghost', 1)))
          .catch((error: Error) => error);
        return { href: '/late' };
      },
    });
    const exercises = await at.run('exercises', { jobs: [long] });
    const id = await order(exercises, { kind: 'long' });
    await until(
      () => get(exercises, id),
      (job) => job?.status === 'running',
    );
    expect(await exercises.messaging.jobs.cancel('o1', id)).toMatchObject({ status: 'cancelled' });
    await until(
      () => fenced,
      (error) => error instanceof Error,
    );
    expect(stopped).toBe(true);
    expect(await get(exercises, id)).toMatchObject({ status: 'cancelled', result: null });
    expect(await exercises.messaging.jobs.cancel('o1', id)).toBeNull();
    const ghosts = await exercises.connection.db?.collection('outbox').countDocuments({ aggregate: /ghost/ });
    expect(ghosts).toBe(0);
    await exercises.stop();
  });
});

describe('when engines and workers go away', () => {
  const quick = jobKind({
    kind: 'quick',
    payload: z.object({}),
    concurrency: 2,
    async run({ jobId: job, transaction }) {
      return await transaction(async ({ db, session }) => {
        await db.collection('done').updateOne({ job }, { $set: { job } }, { session, upsert: true });
        return null;
      });
    },
  });
  const unfinished = ({ connection }: Process) =>
    connection.db?.collection('jobs').countDocuments({ kind: 'quick', state: { $ne: 'succeeded' } });
  const effects = ({ connection }: Process) => connection.db?.collection('done').countDocuments();

  test('jobs ordered while Redis is away run when it is back', async () => {
    const proxy = await faultProxy(targetOf(at.engines.redisUrl));
    const exercises = await at.run('exercises', {
      jobs: [quick],
      redisUrl: through(at.engines.redisUrl, proxy),
    });
    await becomes(exercises, 'redis', 'ok');
    proxy.set('reset');
    await becomes(exercises, 'redis', 'degraded');
    const before = (await effects(exercises)) ?? 0;
    for (let job = 0; job < 10; job += 1) await order(exercises, { kind: 'quick' });
    proxy.set('pass');
    await until(
      () => unfinished(exercises),
      (count) => count === 0,
    );
    expect(await effects(exercises)).toBe(before + 10);
    await exercises.stop();
    await proxy.close();
  });

  test('a silent Redis is given up, and jobs run when it answers again', async () => {
    const proxy = await faultProxy(targetOf(at.engines.redisUrl));
    const exercises = await at.run('exercises', {
      jobs: [quick],
      redisUrl: through(at.engines.redisUrl, proxy),
    });
    await becomes(exercises, 'redis', 'ok');
    const before = (await effects(exercises)) ?? 0;
    proxy.set('blackhole');
    for (let job = 0; job < 5; job += 1) await order(exercises, { kind: 'quick' });
    await sleep(2_000);
    proxy.set('pass');
    await until(
      () => unfinished(exercises),
      (count) => count === 0,
      45_000,
    );
    expect(await effects(exercises)).toBe(before + 5);
    await exercises.stop();
    await proxy.close();
  });

  test('all queued jobs run after Redis was wiped, each with one effect', async () => {
    const ordering = await at.run('exercises', { jobs: [quick], role: 'api' });
    const before = (await effects(ordering)) ?? 0;
    for (let job = 0; job < 25; job += 1) await order(ordering, { kind: 'quick' });
    const unscheduled = () =>
      ordering.connection.db?.collection('jobs').countDocuments({ unscheduled: true });
    await until(unscheduled, (count) => count === 0);
    const redis = new Redis(at.engines.redisUrl);
    const keys = await redis.keys(`${at.engines.redisPrefix}*`);
    expect(keys.length).toBeGreaterThan(25);
    await redis.unlink(...keys);
    redis.disconnect();
    const working = await at.run('exercises', { jobs: [quick] });
    await until(
      () => unfinished(working),
      (count) => count === 0,
    );
    expect(await effects(working)).toBe(before + 25);
    await Promise.all([ordering.stop(), working.stop()]);
  });

  test('a job whose worker was killed runs again; a frozen worker that wakes up changes nothing', async () => {
    const child = startChild('sleeper', at.engines);
    const ordering = await at.run('exercises', { jobs: [sleeping({ forever: false })], role: 'api' });
    const id = await order(ordering, { kind: 'sleep' });
    await until(
      () => get(ordering, id),
      (job) => job?.progress.message === `process ${child.pid}`,
    );
    child.kill('SIGSTOP');
    const working = await at.run('exercises', { jobs: [sleeping({ forever: false })] });
    const job = await ended(working, id);
    expect(job).toMatchObject({
      status: 'succeeded',
      attempts: 2,
      result: { href: `/woken/${process.pid}` },
    });
    child.kill('SIGCONT');
    await sleep(1_500);
    expect(await get(working, id)).toMatchObject({ result: { href: `/woken/${process.pid}` } });
    const woken = await working.connection.db?.collection('woken').find({ job: id }).toArray();
    expect(woken?.map((row) => row.process)).toEqual([process.pid]);
    await endChild(child);
    await Promise.all([ordering.stop(), working.stop()]);
  });

  test('a stopping process gives its jobs back without an attempt used up', async () => {
    const patient = await at.run('exercises', {
      jobs: [sleeping({ forever: true })],
      timings: { ...FAST, stopMs: 7_500 },
    });
    const id = await order(patient, { kind: 'sleep' });
    await until(
      () => get(patient, id),
      (job) => job?.status === 'running',
    );
    await patient.stop();
    const next = await at.run('exercises', { jobs: [sleeping({ forever: false })] });
    expect(await ended(next, id)).toMatchObject({ status: 'succeeded', attempts: 1 });
    await next.stop();
  });
});
