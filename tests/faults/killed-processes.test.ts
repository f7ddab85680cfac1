import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { apis } from '@muster/contracts';
import type { EngineName, Engines } from '@muster/devstack';
import { eventually, ownEngines, type Product, type ProductPart, startProduct } from '@muster/testing';
import { account, EVEN } from './ledger.ts';
import { keysOf, type MixedLoad, mixedLoad, NOTHING } from './mixed-load.ts';
import { expected, projected, sources, unevaluated } from './projections.ts';
import { randomFrom, shuffled } from './random.ts';

// FAULTS_SECONDS=120 is the whole of it; FAULTS_SEED repeats a run's choices.

const SECONDS = Number(process.env.FAULTS_SECONDS ?? 25);
const SEED = Number(process.env.FAULTS_SEED ?? randomInt(2 ** 31));
const EVEN_WITHIN_MS = 60_000;
/** A job whose worker died waits until its beat stood still for 15 s, and for its turn. */
const JOBS_WITHIN_MS = 120_000;
const ENGINES: EngineName[] = ['mongodb', 'rabbitmq', 'redis'];
const PARTS: ProductPart[] = [...new Set(apis.map(({ service }) => service)), 'gateway'];

const random = randomFrom(SEED);
const story: string[] = [];
let began = 0;
const tell = (line: string) => story.push(`${((performance.now() - began) / 1000).toFixed(1)} s: ${line}`);

let engines: Engines;
let product: Product;
beforeAll(async () => {
  engines = await ownEngines(...ENGINES);
  const { mongodbUri: MONGODB_URI, amqpUrl: AMQP_URL, redisUrl: REDIS_URL } = engines;
  const unlimited = { RATE_LIMIT_TOKEN: '1000000', RATE_LIMIT_ADDRESS: '1000000' };
  const variables = { ...unlimited, MONGODB_URI, AMQP_URL, REDIS_URL };
  product = await startProduct('killed', variables, { report: tell });
}, 240_000);
afterAll(async () => {
  await product?.stop();
  await engines?.stop();
}, 120_000);

/** Kills one process after the other, engines included, each once before any a second time. */
async function killAtRandom(until: number): Promise<number> {
  let kills = 0;
  for (let round: (EngineName | ProductPart)[] = []; performance.now() < until; kills += 1) {
    if (round.length === 0) round = shuffled([...ENGINES, ...PARTS], random);
    const name = round.pop() as EngineName | ProductPart;
    tell(`kill -9 ${name}`);
    if (isEngine(name)) engines.engine(name).kill();
    else if (!(await product.kill(name))) tell(`${name} was down already`);
    await sleep(2_000 + random() * 3_000);
  }
  return kills;
}

const isEngine = (name: string): name is EngineName => ENGINES.some((engine) => engine === name);

test(
  `${SECONDS} s of kill -9 under a mixed load lose and double nothing, and all is even within 60 s without a hand`,
  async () => {
    began = performance.now();
    const stop = new AbortController();
    try {
      const loads = await mixedLoad(product.url, stop.signal, random);
      const kills = await killAtRandom(began + SECONDS * 1_000);
      const last = performance.now();
      stop.abort();
      const left = () => EVEN_WITHIN_MS - (performance.now() - last);
      await ended(loads, left());
      tell(`${kills} kills; ${Object.entries(loads).map(told).join(', ')}`);
      await accounted(loads, left());
      tell(`all is even, ${Math.round((performance.now() - last) / 1_000)} s after the last kill`);
      await evaluated(loads);
      tell('every evaluation is there');
      // Nothing was exercised when no command met a dead process.
      expect(Object.values(loads).flatMap(({ failures }) => failures).length).toBeGreaterThan(0);
    } finally {
      stop.abort();
      console.log(`FAULTS_SECONDS=${SECONDS} FAULTS_SEED=${SEED}\n${story.join('\n')}`);
    }
  },
  SECONDS * 1_000 + 300_000,
);

/** Every command is answered in the end. */
async function ended(loads: MixedLoad, withinMs: number): Promise<void> {
  const open = new Set(Object.entries(loads));
  for (const one of open) void one[1].done.then(() => open.delete(one));
  await eventually(() => expect([...open].map(told)).toEqual([]), withinMs);
  for (const { refused } of Object.values(loads)) expect(refused).toEqual([]);
}

const told = ([name, { entries, failures }]: [string, MixedLoad[keyof MixedLoad]]) =>
  `${entries.length} ${name} (${failures.length} times again, last for ${failures.at(-1)})`;

/** Everything acknowledged is there once, nothing else is, and every projection says what the sources say. */
async function accounted(loads: MixedLoad, withinMs: number): Promise<void> {
  await eventually(async () => {
    const health = await (
      await fetch(`${product.url}/health`, { signal: AbortSignal.timeout(10_000) })
    ).json();
    expect(health).toMatchObject({ status: 'ok' });
    expect(await projected(product.url)).toEqual(expected(await sources(product.url)));
  }, withinMs);
  const { sessions, events, operations } = await sources(product.url);
  const batched = loads.batches.entries.flatMap(({ key, id }) => {
    const ids = id?.split(' ');
    return keysOf(key).map((one, index) => ({ key: one, id: ids?.[index] ?? null }));
  });
  expect(account(batched, events)).toEqual(EVEN);
  expect(account(loads.operations.entries, operations)).toEqual(EVEN);
  const rows = sessions.map(({ id, title }) => ({ id, key: title }));
  expect(account(loads.sessions.entries, rows)).toEqual(EVEN);
}

/** Jobs that were cut off or forgotten are done all the same. */
async function evaluated({ evaluations }: MixedLoad): Promise<void> {
  const ids = evaluations.entries.flatMap(({ id }) => (id === NOTHING || id === null ? [] : [id]));
  await eventually(async () => expect(await unevaluated(product.url, ids)).toEqual([]), JOBS_WITHIN_MS);
}
