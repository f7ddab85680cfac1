import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connect } from 'amqplib';
import { Redis } from 'ioredis';
import mongoose from 'mongoose';
import { type TestEngines, testEngines } from '../src/index.ts';

let mine: TestEngines;
let theirs: TestEngines;
let mongo: mongoose.mongo.MongoClient;
let redis: Redis;

beforeAll(async () => {
  [mine, theirs] = await Promise.all([testEngines('Isolation: mine'), testEngines('isolation')]);
  mongo = await new mongoose.mongo.MongoClient(mine.mongodbUri).connect();
  redis = new Redis(mine.redisUrl);
}, 30_000);
afterAll(async () => {
  await Promise.all([mongo.close(), redis.quit(), mine.cleanup(), theirs.cleanup()]);
}, 30_000);

test('one file does not see the documents of another', async () => {
  await mongo.db(mine.mongodbDb).collection('sessions').insertOne({ title: 'mine' });
  expect(await mongo.db(theirs.mongodbDb).collection('sessions').countDocuments()).toBe(0);
});

test('one file does not get the messages of another', async () => {
  const [a, b] = await Promise.all([connect(mine.amqpUrl), connect(theirs.amqpUrl)]);
  const [ours, others] = [await a.createConfirmChannel(), await b.createChannel()];
  for (const channel of [ours, others]) await channel.assertQueue('work', { durable: true });
  ours.sendToQueue('work', Buffer.from('mine'));
  await ours.waitForConfirms();
  expect(await others.get('work', { noAck: true })).toBe(false);
  expect(await ours.get('work', { noAck: true })).toMatchObject({ content: Buffer.from('mine') });
  await Promise.all([a.close(), b.close()]);
});

test('cleaning up takes what is mine and leaves what is theirs', async () => {
  const engines = await testEngines('isolation-cleanup');
  await mongo.db(engines.mongodbDb).collection('sessions').insertOne({ title: 'short-lived' });
  await redis.set(`${engines.redisPrefix}a`, '1');
  await redis.set(`${theirs.redisPrefix}a`, '1');
  await engines.cleanup();

  const { databases } = await mongo.db('admin').admin().listDatabases();
  expect(databases.map(({ name }) => name)).not.toContain(engines.mongodbDb);
  expect(await redis.exists(`${engines.redisPrefix}a`)).toBe(0);
  expect(await redis.exists(`${theirs.redisPrefix}a`)).toBe(1);
  await expect(connect(engines.amqpUrl)).rejects.toThrow();
}, 30_000);

test('without engines it says what to do', async () => {
  const { REDIS_URL } = process.env;
  process.env.REDIS_URL = '';
  await expect(testEngines('nothing')).rejects.toThrow('run tests with npm test');
  process.env.REDIS_URL = REDIS_URL;
});
