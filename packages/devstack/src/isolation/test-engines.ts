import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import mongoose from 'mongoose';
import { managementApi } from '../engines/rabbitmq.ts';

/** Engines of one test file: shared servers, nothing else shared. */
export interface TestEngines {
  mongodbUri: string;
  /** Name of this file's database; those that begin with it and `_` are this file's too. */
  mongodbDb: string;
  /** URL of this file's own RabbitMQ virtual host. */
  amqpUrl: string;
  redisUrl: string;
  /** Put before every Redis key; ends with `:`. */
  redisPrefix: string;
  /** Drops the database, the virtual host and the keys. */
  cleanup(): Promise<void>;
}

/**
 * Makes a database, a virtual host and a key prefix that no other test file uses, on the engines named by
 * MONGODB_URI, AMQP_URL, AMQP_MANAGEMENT_URL and REDIS_URL, which `npm test` sets.
 * @param name says in the engines' lists whose it is, such as `sessions`
 * @throws Error when a variable is missing, or the virtual host cannot be made
 */
export async function testEngines(name: string): Promise<TestEngines> {
  const id = `test_${name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 24)}_${randomBytes(4).toString('hex')}`;
  const mongodbUri = variable('MONGODB_URI');
  const redisUrl = variable('REDIS_URL');
  const redisPrefix = `${id}:`;
  const amqp = new URL(variable('AMQP_URL'));
  const vhost = virtualHost(variable('AMQP_MANAGEMENT_URL'), id);
  await vhost.create(decodeURIComponent(amqp.username) || 'guest');
  amqp.pathname = `/${id}`;
  return {
    mongodbUri,
    mongodbDb: id,
    amqpUrl: amqp.href,
    redisUrl,
    redisPrefix,
    async cleanup() {
      await Promise.all([dropDatabases(mongodbUri, id), vhost.remove(), dropKeys(redisUrl, redisPrefix)]);
    },
  };
}

function variable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run tests with npm test, which starts the engines`);
  return value;
}

function virtualHost(managementUrl: string, name: string) {
  const { url, authorization } = managementApi(managementUrl);
  const headers = { authorization, 'content-type': 'application/json' };
  const call = async (method: string, path: string, body?: object) => {
    const send = () => fetch(`${url}/api/${path}`, { method, headers, body: JSON.stringify(body) });
    // The management plugin closes connections that were idle; these calls may be repeated.
    const answer = await send().catch(send);
    if (!answer.ok && answer.status !== 404)
      throw new Error(`RabbitMQ: ${method} ${path} answered ${answer.status}`);
  };
  return {
    async create(user: string) {
      await call('PUT', `vhosts/${name}`, {});
      const all = { configure: '.*', write: '.*', read: '.*' };
      await call('PUT', `permissions/${name}/${encodeURIComponent(user)}`, all);
    },
    remove: () => call('DELETE', `vhosts/${name}`),
  };
}

async function dropDatabases(uri: string, name: string): Promise<void> {
  const client = new mongoose.mongo.MongoClient(uri);
  try {
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
    const mine = databases.filter(
      (database) => database.name === name || database.name.startsWith(`${name}_`),
    );
    await Promise.all(mine.map((database) => client.db(database.name).dropDatabase()));
  } finally {
    await client.close();
  }
}

async function dropKeys(url: string, prefix: string): Promise<void> {
  const client = new Redis(url);
  try {
    for await (const keys of client.scanStream({ match: `${prefix}*`, count: 500 })) {
      if (keys.length > 0) await client.unlink(...(keys as string[]));
    }
  } finally {
    client.disconnect();
  }
}
