import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type FaultProxy, faultProxy, targetOf, through } from '@muster/devstack';
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

  test('is noticed by both clients after three beats, and found again', async () => {
    const clients = createRedisClients({ url: address(), log, onReady() {} });
    const statuses = () => [clients.scheduling.status, clients.working().status];
    await until(statuses, (now) => now.every((status) => status === 'ready'));
    const lost = new Set<string>();
    clients.scheduling.on('close', () => lost.add('scheduling'));
    clients.working().on('close', () => lost.add('working'));
    proxy?.set('blackhole');
    await until(
      () => lost.size,
      (size) => size === 2,
      25_000,
    );
    proxy?.set('pass');
    await until(statuses, (now) => now.every((status) => status === 'ready'));
    clients.disconnect();
  });
});
