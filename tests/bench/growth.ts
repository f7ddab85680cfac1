import { createClient, dashboardApi, scenariosApi } from '@muster/contracts';
import type { Product } from '@muster/testing';
import mongoose, { type mongo } from 'mongoose';
import { v7 } from 'uuid';
import { residentBytes } from './memory.ts';
import { median, timed } from './timing.ts';

const SCENARIO = 'business-email-compromise.json';
/** BENCH_SESSIONS and BENCH_SAVES say others: a short run is `BENCH_SESSIONS=100,2000 BENCH_SAVES=200`. */
const SIZES = (process.env.BENCH_SESSIONS ?? '100,10000,100000').split(',').map(Number);
const SAVES = Number(process.env.BENCH_SAVES ?? 400);
const SINGLES = 30;
const AT_ONCE = 8;
const SPREAD_DAYS = 900;
const DAY_MS = 86_400_000;
const MEBIBYTE = 1024 * 1024;
const PATIENCE_MS = 600_000;
const WRITE = { writeConcern: { w: 'majority', journal: true } } as const;
const { EJSON } = mongoose.mongo.BSON;

type Row = mongo.Document & { _id: string };

interface Measured {
  size: number;
  savesPerSecond: number;
  /** The time of the last tenth of the saves to that of the first. */
  last: number;
  single: number;
  dashboardLagMs: number;
  gapsLagMs: number;
  bytes: number;
}

/**
 * What saving a session costs where an organization has many, started on days in no order: how many a second eight at a
 * time, how far the dashboard and the gaps are behind the last of them, and the memory of the service.
 *
 * The first 200 sessions are saved. The rest of each size is copies of these under other ids, stored past the service
 * with their rows of the dashboard and of the gaps' history; the sums of days and the gaps themselves stay as they are.
 */
export async function growth(product: Pick<Product, 'url' | 'addressOf' | 'engines'>): Promise<void> {
  const client = await mongoose.mongo.MongoClient.connect(product.engines.mongodbUri);
  const store = client.db(`${product.engines.mongodbDb}_exercises`);
  const rows: Measured[] = [];
  for (const size of SIZES) {
    await fill(product, store, size);
    rows.push(await measure(product, store, size));
    console.log(line(rows.at(-1) as Measured, rows[0] as Measured));
  }
  await client.close();
}

const line = (now: Measured, first: Measured) =>
  [
    `${now.size} sessions: ${now.savesPerSecond.toFixed(1)} saves/s, ${AT_ONCE} at a time`,
    `(${(now.savesPerSecond / first.savesPerSecond).toFixed(2)} × of ${first.size} sessions; the last tenth takes ${now.last.toFixed(2)} × the first)`,
    `one save ${now.single.toFixed(2)} × a raw majority insert of the same document`,
    `behind the last save: dashboard ${(now.dashboardLagMs / 1000).toFixed(1)} s, gaps ${(now.gapsLagMs / 1000).toFixed(1)} s`,
    `${(now.bytes / MEBIBYTE).toFixed(0)} MiB`,
  ].join('; ');

type Measurable = Pick<Product, 'url' | 'addressOf'>;

async function measure(product: Measurable, store: mongo.Db, size: number): Promise<Measured> {
  const single = await singles(product, store);
  const before = await shown(product);
  const times: number[] = [];
  const started = performance.now();
  for (let left = SAVES; left > 0; left -= AT_ONCE) {
    const round = performance.now();
    await saveTogether(product.url);
    times.push(performance.now() - round);
  }
  const ended = performance.now();
  const saved = times.length * AT_ONCE;
  const dashboardLagMs = await until(
    async () => (await shown(product)) >= before + saved,
    'the dashboard shows the last save',
    ended,
  );
  const gapsLagMs = await until(() => settled(store), 'the gaps know the last save', ended);
  const tenth = Math.ceil(times.length / 10);
  return {
    size,
    savesPerSecond: (1000 * saved) / (ended - started),
    last: median(times.slice(-tenth)) / median(times.slice(0, tenth)),
    single,
    dashboardLagMs,
    gapsLagMs,
    bytes: await residentBytes(product.addressOf('exercises')),
  };
}

const saveTogether = (url: string) => Promise.all(Array.from({ length: AT_ONCE }, () => save(url)));

const shown = async ({ url }: Pick<Product, 'url'>) =>
  (await createClient(dashboardApi, { baseUrl: url }).getDashboard()).body.counts.sessions;

async function settled(store: mongo.Db): Promise<boolean> {
  const known = await store.collection('gap_sessions').countDocuments({});
  return known >= (await store.collection('sessions').countDocuments({ status: 'completed' }));
}

async function until(holds: () => Promise<boolean>, what: string, since: number): Promise<number> {
  while (!(await holds())) {
    if (performance.now() - since > PATIENCE_MS)
      throw new Error(`After ${PATIENCE_MS / 1000} s it does not hold that ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return performance.now() - since;
}

let doneAll: unknown[] | undefined;

/** Every action of every inject, as responses. */
async function allDone(url: string): Promise<unknown[]> {
  const { body } = await createClient(scenariosApi, { baseUrl: url }).getScenario({
    params: { filename: SCENARIO },
  });
  return body.injects.map(({ id, expected_actions }) => ({
    inject_id: id,
    at_minutes: 1,
    actions: expected_actions.map((action) => action.id),
  }));
}

/** Saves a session of some day: three in ten did all, the others nothing. */
async function save(url: string): Promise<void> {
  doneAll ??= await allDone(url);
  const start = Date.now() - Math.floor(Math.random() * SPREAD_DAYS * DAY_MS);
  const answer = await fetch(`${url}/api/sessions/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      scenario: SCENARIO,
      started_at: new Date(start).toISOString(),
      ended_at: new Date(start + 5_400_000).toISOString(),
      responses: Math.random() < 0.3 ? doneAll : [],
    }),
  });
  const body = await answer.text();
  if (answer.status !== 201)
    throw new Error(`a session was not saved: ${answer.status} ${body.slice(0, 300)}`);
}

/** One save and one raw majority insert of what it stored, in turn; their ratio. */
async function singles(product: Measurable, store: mongo.Db): Promise<number> {
  const raw = store.collection<Row>('bench_rows');
  const stored = await store.collection<Row>('sessions').findOne({});
  if (!stored) throw new Error('there is no session to copy');
  const [saves = [], inserts = []] = await timed(SINGLES, [
    () => save(product.url),
    () => raw.insertOne({ ...stored, _id: v7() }, WRITE),
  ]);
  await raw.drop();
  return median(saves) / median(inserts);
}

/** What stands for one session, by the session's id or that behind its epoch. */
const OF_A_SESSION = ['sessions', 'dashboard_sessions', 'gap_sessions'];
const SAVED = 200;

async function fill(product: Measurable, store: mongo.Db, size: number): Promise<void> {
  const count = () => store.collection('sessions').countDocuments({});
  while ((await count()) < Math.min(size, SAVED)) await saveTogether(product.url);
  await until(() => settled(store), 'the gaps know what was saved', performance.now());
  const rows = store.collection<Row>('sessions');
  const samples = await rows.find({}, { projection: { _id: 1 }, limit: SAVED }).toArray();
  const ids = samples.map(({ _id }) => _id);
  const rounds = Math.floor((size - (await count())) / ids.length);
  if (rounds <= 0) return;
  for (const name of OF_A_SESSION) await copy(store.collection<Row>(name), ids, rounds);
  const sessions = rounds * ids.length;
  await store.collection('dashboard_totals').updateMany({ sessions: { $gt: 0 } }, { $inc: { sessions } });
}

/** Stores every row of these sessions so many times again, each time under other ids. */
async function copy(rows: mongo.Collection<Row>, ids: readonly string[], rounds: number): Promise<void> {
  const keys = ids.flatMap((id) => [id, `1.${id}`]);
  const own = await rows.find({ _id: { $in: keys } }).toArray();
  const texts = own.map((row) => ({
    id: row._id.split('.').at(-1) ?? '',
    text: EJSON.stringify(row, { relaxed: false }),
  }));
  for (let round = 0; round < rounds; round += 1) {
    const suffix = `-${round}-${v7().slice(0, 13)}`;
    const copies = texts.map(
      ({ id, text }) => EJSON.parse(text.replaceAll(id, `${id}${suffix}`), { relaxed: false }) as Row,
    );
    await rows.insertMany(copies, { ordered: false });
  }
}
