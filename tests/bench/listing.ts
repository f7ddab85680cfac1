import { createClient, eventsApi } from '@muster/contracts';
import type { Product } from '@muster/testing';
import mongoose, { type mongo } from 'mongoose';
import { v7 } from 'uuid';
import { alertLines, postAlerts } from './alerts.ts';
import { median, timed } from './timing.ts';

const FEW = 20_000;
const ROUNDS = 20;
const CHUNK = 5_000;
const DAY_MS = 86_400_000;
const SPREAD_DAYS = 90;
const MOST_RATIO = 5;

type Query = NonNullable<
  Parameters<ReturnType<typeof createClient<typeof eventsApi>>['listEvents']>[0]
>['query'];

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const LISTS: readonly [string, Query][] = [
  ['all', {}],
  ['what is common', { source: 'endpoint-protection' }],
  ['severity', { severity: 'high' }],
  ['the technique above', { technique: 'T1059' }],
  ['a host', { q: 'WS-17' }],
  ['a host and a user', { q: 'WS-17 user-17' }],
  ['a common word and a host', { q: 'encoded WS-17' }],
  ['a day long ago', { from: daysAgo(80), to: daysAgo(79) }],
  ['a time and a severity', { from: daysAgo(30), severity: 'high' }],
  ['a host and a severity that it never has', { q: 'WS-18', severity: 'medium' }],
];

/**
 * What a page of events costs where there are many, against the same page where there are few. Copies of events are
 * stored past the service, which would take long for millions.
 * @param most how many events there are in the end
 */
export async function listing(product: Product, most: number): Promise<void> {
  const client = await mongoose.mongo.MongoClient.connect(product.engines.mongodbUri);
  const rows = client.db(`${product.engines.mongodbDb}_security-ops`).collection<Row>('events');
  await rows.deleteMany({});
  const spread = (at: number) => ({ occurred_at: daysAgo((at * SPREAD_DAYS) / CHUNK) });
  await postAlerts(product, alertLines(CHUNK, 'sample', spread));
  const samples = await rows.find({}).toArray();
  await fill(rows, samples, { from: CHUNK, to: FEW });
  const few = await pages(product);
  await fill(rows, samples, { from: FEW, to: most });
  const many = await pages(product);
  await client.close();
  const ratios = LISTS.map(([name], at) => {
    const [m, f] = [median(many[at] ?? []), median(few[at] ?? [])];
    console.log(
      `events by ${name}, ${most} against ${FEW}: ${(m / f).toFixed(2)} × (median ${m.toFixed(1)} ms against ${f.toFixed(1)} ms)`,
    );
    return m / f;
  });
  if (Math.max(...ratios) > MOST_RATIO)
    throw new Error(`A list of many events is slow: ${Math.max(...ratios)} ×`);
}

type Row = mongo.Document & { _id: string; occurrence: string };

/** Stores copies that differ from the samples in their ids. */
async function fill(
  rows: mongo.Collection<Row>,
  samples: readonly Row[],
  { from, to }: { from: number; to: number },
): Promise<void> {
  for (let stored = from; stored < to; stored += CHUNK) {
    const copies = samples.slice(0, to - stored).map((sample, at) => {
      const _id = v7();
      // It ends with the id.
      const occurrence = sample.occurrence.replace(sample._id, _id);
      return { ...sample, _id, key: `copy-${stored + at}`, occurrence };
    });
    await rows.insertMany(copies, { ordered: false });
  }
}

async function pages({ url }: Product): Promise<number[][]> {
  const events = createClient(eventsApi, { baseUrl: url });
  return await timed(
    ROUNDS,
    LISTS.map(
      ([, query]) =>
        () =>
          events.listEvents({ query: { ...query, limit: 50 } }),
    ),
  );
}
