import { fileURLToPath } from 'node:url';
import { createClient, dashboardApi, scenariosApi, sessionsApi } from '@muster/contracts';
import { startEngines } from '@muster/devstack';
import { type Product, startProduct } from '@muster/testing';
import mongoose from 'mongoose';
import { edge } from './edge.ts';
import { growth } from './growth.ts';
import { ingest } from './ingest.ts';
import { listing } from './listing.ts';
import { median, timed } from './timing.ts';

// What people wait for, as ratios to a baseline of the same run: a time depends on the machine, a ratio hardly does.

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SCENARIO = 'business-email-compromise.json';
const ROUNDS = 200;
const MANY_SESSIONS = 3_000;
/** BENCH_EVENTS says another number, such as five million. */
const EVENTS = 200_000;

/** What is measured, each by its name: `npm run bench -- growth` measures that alone. */
const PARTS: Record<string, (product: Product) => Promise<void>> = {
  edge: () => edge(engines.redisUrl),
  gateway: gatewayOverhead,
  saving,
  freshness,
  growth,
  dashboard: dashboardCost,
  ingest,
  listing: (product) => listing(product, Number(process.env.BENCH_EVENTS ?? EVENTS)),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}: there are ${Object.keys(PARTS).join(', ')}.`);
  process.exit(1);
}

const engines = await startEngines({ root: ROOT, purpose: 'test', report: (line) => console.log(line) });
process.env.MONGODB_URI = engines.mongodbUri;
process.env.AMQP_URL = engines.amqpUrl;
process.env.AMQP_MANAGEMENT_URL = engines.amqpManagementUrl;
process.env.REDIS_URL = engines.redisUrl;
const unlimited = { RATE_LIMIT_TOKEN: '1000000', RATE_LIMIT_ADDRESS: '1000000' };
const product = await startProduct('bench', unlimited);
try {
  for (const [name, run] of Object.entries(PARTS))
    if (wanted.length === 0 || wanted.includes(name)) await explained(name, product, run);
} finally {
  await product.stop();
  await engines.stop();
}

/** Runs one part; when it fails, says which, why, and what the services said last, a line each. */
async function explained(
  name: string,
  measured: Product,
  run: (product: Product) => Promise<void>,
): Promise<void> {
  try {
    await run(measured);
  } catch (error) {
    process.exitCode = 1;
    console.error(`bench ${name} failed: ${error instanceof Error ? error.message : String(error)}`);
    for (const part of ['gateway', 'exercises', 'security-ops'] as const) {
      const last = measured.logOf(part).split('\n').at(-1);
      if (last) console.error(`  ${part} said last: ${last.slice(0, 500)}`);
    }
  }
}

async function gatewayOverhead({ url, addressOf, fetch }: Product): Promise<void> {
  const read = (baseUrl: string) => () =>
    createClient(scenariosApi, { baseUrl, fetch }).getScenario({ params: { filename: SCENARIO } });
  const [direct, through] = await timed(ROUNDS, [read(addressOf('exercises')), read(url)]);
  report('a scenario through the gateway, against the service itself', through, direct);
}

async function saving({ url, engines: { mongodbUri, mongodbDb } }: Product): Promise<void> {
  const client = await mongoose.mongo.MongoClient.connect(mongodbUri);
  const rows = client.db(`${mongodbDb}_bench`).collection('rows');
  const scenario = (
    await createClient(scenariosApi, { baseUrl: url }).getScenario({ params: { filename: SCENARIO } })
  ).body;
  const raw = () => rows.insertOne({ scenario }, { writeConcern: { w: 'majority', journal: true } });
  const [insert, save] = await timed(ROUNDS, [raw, () => saveSession(url)]);
  report(
    'saving and scoring a session through the gateway, against one raw insert of its scenario',
    save,
    insert,
  );
  await rows.drop();
  await client.close();
}

function saveSession(baseUrl: string) {
  return createClient(sessionsApi, { baseUrl }).createSession({ body: { scenario: SCENARIO } });
}

function readDashboard(baseUrl: string) {
  return createClient(dashboardApi, { baseUrl }).getDashboard();
}

/** From the answer to a save until the dashboard shows it. */
async function freshness({ url }: Product): Promise<void> {
  const delays: number[] = [];
  for (let round = 0; round < 30; round += 1) {
    const { body } = await saveSession(url);
    const saved = performance.now();
    while ((await readDashboard(url)).body.recent_sessions.every(({ id }) => id !== body.id)) {
      if (performance.now() - saved > 10_000) throw new Error('The dashboard never showed the session');
    }
    delays.push(performance.now() - saved);
  }
  const sorted = delays.toSorted((a, b) => a - b);
  console.log(
    `from a save to the dashboard: median ${median(delays).toFixed(0)} ms, slowest of 30 ${sorted.at(-1)?.toFixed(0)} ms`,
  );
}

async function dashboardCost({ url }: Product): Promise<void> {
  const few = (await readDashboard(url)).body.counts.sessions;
  const [before] = await timed(ROUNDS, [() => readDashboard(url)]);
  for (let saved = few; saved < MANY_SESSIONS; saved += 8)
    await Promise.all(Array.from({ length: 8 }, () => saveSession(url)));
  while ((await readDashboard(url)).body.counts.sessions < MANY_SESSIONS)
    await new Promise((resolve) => setTimeout(resolve, 200));
  const [after] = await timed(ROUNDS, [() => readDashboard(url)]);
  report(`the dashboard with ${MANY_SESSIONS} sessions, against ${few}`, after, before);
}

function report(what: string, measured: number[] = [], baseline: number[] = []): void {
  const [m, b] = [median(measured), median(baseline)];
  console.log(`${what}: ${(m / b).toFixed(2)} × (median ${m.toFixed(1)} ms against ${b.toFixed(1)} ms)`);
}
