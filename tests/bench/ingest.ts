import { createClient, eventsApi } from '@muster/contracts';
import type { Product } from '@muster/testing';
import mongoose, { type mongo } from 'mongoose';
import { alert, alertLines, postAlerts } from './alerts.ts';
import { residentBytes } from './memory.ts';
import { median, timed } from './timing.ts';

const BATCH = 10_000;
const ROUNDS = 7;
const MANY_BATCHES = 20;
const LEAST_RATIO = 0.6;
const SINGLES = 100;
const WRITE = { writeConcern: { w: 'majority', journal: true } } as const;
const MEBIBYTE = 1024 * 1024;

/** What events cost through the service, against the driver that writes the documents the service would have stored. */
export async function ingest(product: Product): Promise<void> {
  const { mongodbUri, mongodbDb } = product.engines;
  const client = await mongoose.mongo.MongoClient.connect(mongodbUri);
  const service = client.db(`${mongodbDb}_security-ops`);
  const raw = client.db(`${mongodbDb}_bench`);
  await postAlerts(product, batchOf('first'));
  const stored = await service.collection('events').find({}).limit(BATCH).toArray();
  const indexes = await service.collection('events').indexes();
  const indexed = await copyOf(raw, 'events', indexes);
  const bare = await copyOf(raw, 'events_without_indexes', []);
  await batches(product, { stored, indexed, bare });
  await singles(product, { stored, indexed });
  await memory(product);
  await raw.dropDatabase();
  await client.close();
}

type Rows = mongo.Collection<{ _id: unknown }>;
interface Baseline {
  stored: mongo.Document[];
  indexed: Rows;
}

async function copyOf(
  database: mongo.Db,
  name: string,
  indexes: mongo.IndexDescriptionInfo[],
): Promise<Rows> {
  const rows = await database.createCollection<{ _id: unknown }>(name);
  for (const { key, unique } of indexes)
    if (!('_id' in key && Object.keys(key).length === 1))
      await rows.createIndex(key, unique ? { unique } : {});
  return rows;
}

/** The documents of the first batch anew, as far as they must differ. */
const anew = (stored: mongo.Document[], count = BATCH) =>
  stored
    .slice(0, count)
    .map((row) => ({ ...row, _id: new mongoose.mongo.ObjectId().toHexString(), key: fresh() }));

let made = 0;
function fresh(): string {
  made += 1;
  return `fresh-${made}`;
}

async function batches(
  product: Product,
  { stored, indexed, bare }: Baseline & { bare: Rows },
): Promise<void> {
  const bodies = Array.from({ length: ROUNDS + 1 }, (_, round) => batchOf(`round-${round}`));
  const [post = [], insert = [], plain = []] = await timed(ROUNDS, [
    () => postAlerts(product, bodies.pop() ?? ''),
    () => indexed.insertMany(anew(stored), WRITE),
    () => bare.insertMany(anew(stored), WRITE),
  ]);
  const ratio = median(insert) / median(post);
  const speed = (BATCH / median(post)) * 1000;
  console.log(
    `${BATCH} events as NDJSON: ${ratio.toFixed(2)} of the driver's insertMany of the same documents into the same indexes (${speed.toFixed(0)} events/s); ${(median(plain) / median(post)).toFixed(2)} of it without any index`,
  );
  if (ratio < LEAST_RATIO)
    throw new Error(`Ingest reached ${ratio.toFixed(2)} of the driver, not ${LEAST_RATIO}`);
}

async function singles(product: Product, { stored, indexed }: Baseline): Promise<void> {
  const direct = createClient(eventsApi, {
    baseUrl: product.addressOf('security-ops'),
    fetch: product.fetch,
  });
  const through = createClient(eventsApi, { baseUrl: product.url });
  const one = () => ({ body: { ...alert(fresh()) } });
  const [insert = [], post = [], gateway = []] = await timed(SINGLES, [
    () => indexed.insertMany(anew(stored, 1), WRITE),
    () => direct.ingestEvents(one()),
    () => through.ingestEvents(one()),
  ]);
  console.log(
    `one event: ${median(insert).toFixed(1)} ms by the driver, ${median(post).toFixed(1)} ms by the service, ${median(gateway).toFixed(1)} ms through the gateway`,
  );
}

/** A service that kept what it read would grow by the size of the batches. */
async function memory(product: Product): Promise<void> {
  const address = product.addressOf('security-ops');
  const before = await residentBytes(address);
  let sent = 0;
  for (let batch = 0; batch < MANY_BATCHES; batch += 1) {
    const body = batchOf(`memory-${batch}`);
    sent += body.length;
    await postAlerts(product, body);
  }
  const grown = (await residentBytes(address)) - before;
  const of = `${(sent / MEBIBYTE).toFixed(0)} MiB in ${MANY_BATCHES} batches`;
  console.log(
    `memory after ${of}: ${(before / MEBIBYTE).toFixed(0)} MiB before, ${(grown / MEBIBYTE).toFixed(0)} MiB more`,
  );
}

const batchOf = (name: string) => alertLines(BATCH, name);
