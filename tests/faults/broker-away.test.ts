import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient, dashboardApi } from '@muster/contracts';
import type { Engines } from '@muster/devstack';
import { eventually, ownEngines, type Product, startProduct } from '@muster/testing';
import { account, EVEN, load, sessionSaving, storedSessions } from './ledger.ts';

// A RabbitMQ of this file's own, since it is stopped; the other engines are those that all tests share.

const SCENARIO = 'business-email-compromise.json';
const AWAY_MS = 20_000;
/** Not how fast it is, only that it comes to an end: other tests run on the same two cores. */
const CAUGHT_UP_WITHIN_MS = 120_000;
let engines: Engines;
let product: Product;

beforeAll(async () => {
  engines = await ownEngines('rabbitmq');
  product = await startProduct('broker', { AMQP_URL: engines.amqpUrl });
}, 180_000);
afterAll(async () => {
  await product?.stop();
  await engines?.stop();
}, 60_000);

test('with RabbitMQ stopped for 20 s saves go on without an error, and the projection catches up by itself', async () => {
  const stop = new AbortController();
  // Hundreds to catch up with, whatever the machine can save: all services read each of them on the same two cores.
  const saving = load(
    sessionSaving(product.url, () => ({ scenario: SCENARIO })),
    { clients: 2, stop: stop.signal, pauseMs: 100 },
  );
  await sleep(1_000);
  await engines.engine('rabbitmq').stop();
  const before = saving.entries.length;
  await sleep(AWAY_MS);
  const meanwhile = saving.entries.length - before;
  const health = await (await fetch(`${product.url}/health`)).json();
  await engines.engine('rabbitmq').start();
  stop.abort();
  await saving.done;

  expect(meanwhile).toBeGreaterThan(10);
  expect(saving.failures).toEqual([]);
  expect(health).toMatchObject({ status: 'degraded' });
  const stored = await storedSessions(product.url);
  const rows = stored.map(({ id, title }) => ({ id, key: title }));
  expect(account(saving.entries, rows)).toEqual(EVEN);
  await eventually(async () => {
    const { body } = await createClient(dashboardApi, { baseUrl: product.url }).getDashboard();
    expect(body.counts.sessions).toBe(stored.length);
  }, CAUGHT_UP_WITHIN_MS);
  await eventually(async () => {
    const after = await (await fetch(`${product.url}/health`)).json();
    expect(after).toMatchObject({ status: 'ok' });
  }, 60_000);
}, 240_000);
