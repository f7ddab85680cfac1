import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditApi, createClient, identityApi, membersApi, settingsApi } from '@muster/contracts';
import { eventually, type Product, startProduct } from '@muster/testing';
import { connect } from 'amqplib';
import { Redis } from 'ioredis';
import mongoose from 'mongoose';

// A secret in the settings is used, and shows up nowhere: not in an answer, a log, an event, a queue, or a database.

const CANARY = `canary-${randomBytes(12).toString('hex')}`;
const DISGUISES = [CANARY, Buffer.from(CANARY).toString('base64').slice(0, 24), encodeURIComponent(CANARY)];
const LOGS = fileURLToPath(new URL('../../.muster/log/', import.meta.url));

let product: Product;
let model: Server;
const seen: { keys: string[]; answers: string[]; events: string[] } = { keys: [], answers: [], events: [] };
let stopListening: () => Promise<void>;

beforeAll(async () => {
  model = createServer((request, response) => {
    seen.keys.push(String(request.headers.authorization));
    response.statusCode = 401;
    response.end(JSON.stringify({ error: { message: `Incorrect API key provided: ${CANARY}` } }));
  });
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
  product = await startProduct('secrets', { LOG_LEVEL: 'trace' });
  stopListening = await overhear(product, seen.events);
}, 120_000);
afterAll(async () => {
  await stopListening?.();
  await product?.stop();
  model?.close();
});

/** Takes a copy of every event. */
async function overhear({ engines }: Product, into: string[]): Promise<() => Promise<void>> {
  const connection = await connect(engines.amqpUrl);
  const channel = await connection.createChannel();
  const { queue } = await channel.assertQueue('', { exclusive: true });
  await channel.bindQueue(queue, 'domain.events', '#');
  await channel.consume(queue, (message) => into.push(message?.content.toString() ?? ''), { noAck: true });
  return () => connection.close();
}

const keep = async <T extends { body: unknown; headers: Headers }>(answer: Promise<T>): Promise<T> => {
  const got = await answer;
  seen.answers.push(JSON.stringify([got.body, [...got.headers]]));
  return got;
};

test('a model’s key is used where it is needed', async () => {
  const options = { baseUrl: product.url };
  const settings = createClient(settingsApi, options);
  const { port } = model.address() as AddressInfo;
  const ai = { provider: 'openai_compatible' as const, base_url: `http://127.0.0.1:${port}/v1`, model: 'm' };
  const written = await keep(settings.updateSettings({ body: { ai: { ...ai, api_key: CANARY } } }));
  expect(written.body.ai.api_key_set).toBe(true);
  const tried = await keep(
    settings.testSettings({ body: { target: 'ai' } }, { headers: { prefer: 'wait=30' } }),
  );
  expect(tried.body).toMatchObject({ ok: false });
  expect(seen.keys).toContain(`Bearer ${CANARY}`);
  await keep(settings.getSettings());
  await keep(createClient(identityApi, options).getMe());
  await keep(createClient(membersApi, options).listMembers());
  await eventually(async () => {
    const { body } = await keep(createClient(auditApi, options).listAudit());
    expect(body.items.map(({ action }) => action)).toContain('settings.updated');
  });
  await eventually(async () => expect(seen.events.join()).toContain('identity.settings.updated.v1'));
});

const everywhere = {
  'the answers': async () => seen.answers,
  'the events': async () => seen.events,
  'the logs': async () => {
    const found = await readdir(LOGS, { recursive: true, withFileTypes: true });
    const paths = found
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    const ours = paths.filter((path) => path.includes(product.engines.mongodbDb));
    expect(ours.length).toBeGreaterThan(0);
    return await Promise.all(ours.map((path) => readFile(path, 'utf8')));
  },
  Redis: () => redisDump(product),
  MongoDB: () => mongoDump(product),
};

test.each(Object.entries(everywhere))('it is not in %s', async (_name, dump) => {
  const text = (await dump()).join('\n');
  expect(text.length).toBeGreaterThan(100);
  for (const disguise of DISGUISES) expect(text).not.toContain(disguise);
});

async function redisDump({ engines }: Product): Promise<string[]> {
  const redis = new Redis(engines.redisUrl);
  const rows: string[] = [];
  for await (const keys of redis.scanStream({ match: `*${engines.redisPrefix}*`, count: 500 })) {
    for (const key of keys as string[]) rows.push(key, String(await redis.dumpBuffer(key)));
  }
  redis.disconnect();
  return rows;
}

async function mongoDump({ engines }: Product): Promise<string[]> {
  const rows: string[] = [];
  const connection = await mongoose.createConnection(engines.mongodbUri).asPromise();
  for (const part of ['identity', 'exercises']) {
    const db = connection.useDb(`${engines.mongodbDb}_${part}`);
    for (const { name } of await db.listCollections())
      rows.push(name, JSON.stringify(await db.collection(name).find({}).toArray()));
  }
  await connection.close();
  return rows;
}
