import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe } from '@jest/globals';
import mongoose from 'mongoose';
import type { Ground } from './ground.ts';
import { aggregations } from './mongo.aggregations.ts';
import { cursors } from './mongo.cursors.ts';
import { indexes } from './mongo.indexes.ts';
import { transactions } from './mongo.transactions.ts';
import { values } from './mongo.values.ts';
import { writes } from './mongo.writes.ts';

/**
 * What Muster needs of its database, as tests for any engine that speaks MongoDB's language.
 * @param uri of the engine
 */
export function mongoConformance(uri: string): void {
  const client = new mongoose.mongo.MongoClient(uri, { serverSelectionTimeoutMS: 10_000 });
  const ground: Ground = { client, db: client.db(`conformance_${randomBytes(6).toString('hex')}`) };
  beforeAll(() => client.connect());
  afterAll(async () => {
    await ground.db.dropDatabase();
    await client.close();
  });
  const groups = { indexes, writes, transactions, cursors, aggregations, values };
  for (const [name, group] of Object.entries(groups)) describe(name, () => group(ground));
}
