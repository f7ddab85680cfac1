import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type FaultProxy, faultProxy, targetOf, through } from '@muster/devstack';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { createLink } from '../src/bus/link.ts';
import { createPublisher } from '../src/bus/publisher.ts';
import { createSubscription } from '../src/bus/subscription.ts';
import { createRedisClients } from '../src/jobs/redis.ts';
import { until } from './bench.ts';

// Connections on which nothing happens: only their own watch can tell that the other end is gone.

const { AMQP_URL = '', REDIS_URL = '' } = process.env;
const log = pino({ level: 'silent' });
let proxy: FaultProxy | undefined;
let engine = '';
const before = (url: string) =>
  beforeEach(async () => {
    engine = url;
    proxy = await faultProxy(targetOf(url));
  });
afterEach(() => proxy?.close());

/** The engine's address behind the proxy. */
const address = () => (proxy ? through(engine, proxy) : '');

describe('a silent broker', () => {
  before(AMQP_URL);
  const HEARTBEAT_MS = 1_000;
  const connection = { name: 'test', maxWaitMs: 200, heartbeatMs: HEARTBEAT_MS, log };

  function publishing() {
    const publisher = createPublisher({ link: () => link, confirmMs: 60_000 });
    const link = createLink({ ...connection, url: address(), setup: publisher.setup });
    return link;
  }

  function consuming() {
    const subscription = createSubscription({
      queue: `silence-${process.pid}`,
      prefetch: 1,
      handle: async () => {},
      link: () => link,
      gate: { closed: () => false, close() {}, opened: async () => true, onChange() {}, stop() {} },
    });
    const link = createLink({
      ...connection,
      url: address(),
      async setup(model, down) {
        const channel = await model.createChannel();
        await channel.assertQueue(`silence-${process.pid}`, { autoDelete: true, durable: false });
        await subscription.setup(model, down);
      },
    });
    return link;
  }

  test.each([
    ['publishes', publishing],
    ['consumes', consuming],
  ])('is noticed by the connection that %s after three heartbeats, and found again', async (_what, make) => {
    const link = make();
    link.start();
    const becomes = (status: string, ms?: number) => until(link.status, (now) => now.status === status, ms);
    await becomes('ok');
    proxy?.set('blackhole');
    const { detail } = await becomes('degraded', 3 * HEARTBEAT_MS + 2_000);
    expect(detail).toBe('Heartbeat timeout');
    proxy?.set('pass');
    await becomes('ok');
    await link.stop();
  });
});

describe('a silent Redis', () => {
  before(REDIS_URL);

  const start = async () => {
    const { scheduling, working, disconnect } = createRedisClients({ url: address(), log, onReady() {} });
    const both = [scheduling, working()];
    const lost = new Set<Redis>();
    for (const client of both) client.on('close', () => lost.add(client));
    const ready = () => until(() => both.every(({ status }) => status === 'ready'), Boolean);
    const givenUp = () =>
      until(
        () => lost.size,
        (size) => size === 2,
        25_000,
      );
    await ready();
    return { both, ready, givenUp, disconnect };
  };

  test('is noticed by both clients after three beats, and found again', async () => {
    const { ready, givenUp, disconnect } = await start();
    proxy?.set('blackhole');
    await givenUp();
    proxy?.set('pass');
    await ready();
    disconnect();
  });

  test('that lost a command is given up by both clients: its answers would go to others', async () => {
    const { both, ready, givenUp, disconnect } = await start();
    proxy?.set('blackhole');
    for (const client of both) client.echo('lost').catch(() => undefined);
    await sleep(500);
    proxy?.set('pass');
    await givenUp();
    await ready();
    expect(await Promise.all(both.map((client) => client.echo('own')))).toEqual(['own', 'own']);
    disconnect();
  });
});
