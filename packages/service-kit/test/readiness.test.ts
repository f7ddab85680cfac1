import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type FaultProxy, faultProxy, targetOf, through } from '@muster/devstack';
import { eventually } from '@muster/testing';
import { gate, type Note, next } from './notes.fixture.ts';
import { ask, type Notes, startNotes } from './stand.fixture.ts';

interface Ready {
  status: string;
  checks: Record<'mongo' | 'amqp' | 'redis' | 'outbox', { status: string; detail?: string }>;
}

const { MONGODB_URI = '', AMQP_URL = '', REDIS_URL = '' } = process.env;
let service: Notes;
let mongo: FaultProxy;
let amqp: FaultProxy;
let redis: FaultProxy;

beforeAll(async () => {
  mongo = await faultProxy(targetOf(MONGODB_URI));
  amqp = await faultProxy(targetOf(AMQP_URL));
  redis = await faultProxy(targetOf(REDIS_URL));
  process.env.AMQP_URL = through(AMQP_URL, amqp);
  process.env.REDIS_URL = through(REDIS_URL, redis);
  const uri = new URL(through(MONGODB_URI, mongo));
  // Directly, else the driver would learn the server's own address and go past the proxy.
  uri.searchParams.set('directConnection', 'true');
  uri.searchParams.set('heartbeatFrequencyMS', '500');
  service = await startNotes({ MONGODB_URI: uri.href, LOG_LEVEL: 'error' });
});
afterAll(async () => {
  for (const proxy of [mongo, amqp, redis]) proxy.set('pass');
  await service?.stop();
  for (const proxy of [mongo, amqp, redis]) await proxy.close();
});

const ready = () => ask<Ready>(service, 'GET /ready');
const write = (text: string) => ask<Note>(service, 'POST /api/notes/', { json: { text } });
const becomes = (status: number, body: object) =>
  eventually(async () => expect(await ready()).toMatchObject({ status, body }), 15_000);

test('all is there', async () => {
  await becomes(200, {
    status: 'ok',
    checks: { mongo: { status: 'ok' }, amqp: { status: 'ok' }, redis: { status: 'ok' } },
  });
  expect(await ask(service, 'GET /live')).toMatchObject({ status: 200, body: { status: 'ok' } });
});

test('Redis away: degraded, and requests are answered; then it comes back by itself', async () => {
  redis.set('reset');
  await becomes(200, {
    status: 'degraded',
    checks: { redis: { status: 'degraded' }, mongo: { status: 'ok' } },
  });
  expect((await write('without Redis')).status).toBe(201);
  redis.set('pass');
  await becomes(200, { status: 'ok', checks: { redis: { status: 'ok' } } });
});

test('the broker away: degraded, and what happens meanwhile is published when it is back, by itself', async () => {
  amqp.set('reset');
  await becomes(200, { status: 'degraded', checks: { amqp: { status: 'degraded' } } });
  const { status, body } = await write('without the broker');
  expect(status).toBe(201);
  const about = { body: new RegExp(body.id) };
  expect(await service.database.collection('outbox').findOne(about)).toHaveProperty('pending');
  amqp.set('pass');
  await becomes(200, { status: 'ok', checks: { amqp: { status: 'ok' } } });
  await eventually(async () => {
    expect(await service.database.collection('outbox').findOne(about)).not.toHaveProperty('pending');
    expect(await service.database.collection('sightings').countDocuments({ text: body.id })).toBe(1);
  });
});

describe('MongoDB away', () => {
  test.each(['reset', 'blackhole'] as const)(
    '(%s): not ready; then it comes back by itself',
    async (mode) => {
      mongo.set(mode);
      await becomes(503, { status: 'unavailable', checks: { mongo: { status: 'degraded' } } });
      expect((await ask(service, 'GET /live')).status).toBe(200);
      mongo.set(mode === 'blackhole' ? 'reset' : mode);
      mongo.set('pass');
      await becomes(200, { status: 'ok' });
      expect((await write(`after ${mode}`)).status).toBe(201);
    },
  );

  test('for a moment only: requests wait for it', async () => {
    mongo.set('reset');
    await becomes(503, { status: 'unavailable' });
    const waiting = write('in between');
    mongo.set('pass');
    expect((await waiting).status).toBe(201);
    await becomes(200, { status: 'ok' });
  });

  test('in the middle of a command: one effect or none, and never a stack', async () => {
    const held = gate();
    next.waits = held;
    const cut = write('cut off');
    await held.reached;
    mongo.set('reset');
    mongo.set('pass');
    held.open();
    const { status, body } = await cut;
    expect([201, 503]).toContain(status);
    expect(JSON.stringify(body)).not.toMatch(/Mongo[A-Z]|\.ts\b/);
    const effects = await service.database.collection('notes').countDocuments({ text: 'cut off' });
    expect(effects).toBe(status === 201 ? 1 : 0);
  });
});

test('a database that is away is a 503 that says when to come again', async () => {
  await becomes(200, { status: 'ok' });
  next.fails = Object.assign(new Error('connect ECONNREFUSED 192.0.2.1:27017'), {
    name: 'MongoServerSelectionError',
  });
  const { status, headers, body } = await write('never');
  expect([status, headers.get('retry-after')]).toEqual([503, '2']);
  expect(JSON.stringify(body)).not.toContain('192.0.2.1');
});

test('metrics are there for Prometheus', async () => {
  await write('counted');
  await ask(service, 'GET /nowhere');
  const { headers, body } = await ask<string>(service, 'GET /metrics');
  expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = body.split('\n');
  const measured = (endpoint: string, status: number) =>
    lines.some((line) =>
      ['_seconds_count{', `endpoint="${endpoint}"`, `status="${status}"`].every((part) =>
        line.includes(part),
      ),
    );
  expect(measured('createNote', 201)).toBe(true);
  expect(measured('unknown', 404)).toBe(true);
  for (const name of ['outbox_pending', 'process_cpu_seconds_total'])
    expect(lines.some((line) => line.startsWith(`${name}{service="exercises"}`))).toBe(true);
});
