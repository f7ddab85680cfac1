import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type FaultProxy, faultProxy, targetOf, through } from '@muster/testing';
import type { Note } from './notes.fixture.ts';
import { ask, eventsAbout, type Notes, startNotes } from './stand.fixture.ts';

type Engine = 'MONGODB_URI' | 'AMQP_URL' | 'REDIS_URL';
interface Ready {
  status: string;
  checks: Record<'mongo' | 'amqp' | 'redis' | 'outbox', { status: string; detail?: string }>;
}

let service: Notes;
const proxies = new Map<Engine, FaultProxy>();

const address = (engine: Engine) => process.env[engine] ?? '';
const proxyOf = (engine: Engine): FaultProxy => {
  const proxy = proxies.get(engine);
  if (!proxy) throw new Error(`There is no proxy before ${engine}`);
  return proxy;
};
const ready = () => ask<Ready>(service, 'GET /ready');

beforeAll(async () => {
  for (const engine of ['MONGODB_URI', 'AMQP_URL', 'REDIS_URL'] as const)
    proxies.set(engine, await faultProxy(targetOf(address(engine))));
  service = await startNotes({
    // Else the driver would learn the server's own address, and go past the proxy.
    MONGODB_URI: `mongodb://127.0.0.1:${proxyOf('MONGODB_URI').port}/?directConnection=true&heartbeatFrequencyMS=500`,
    REDIS_URL: through(address('REDIS_URL'), proxyOf('REDIS_URL')),
    AMQP_PROXY: String(proxyOf('AMQP_URL').port),
  });
});
afterAll(async () => {
  for (const proxy of proxies.values()) proxy.set('pass');
  await service?.stop();
  for (const proxy of proxies.values()) await proxy.close();
});
