import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient, dashboardApi } from '@muster/contracts';
import { eventually, type Product, type ProductPart, startProduct } from '@muster/testing';
import { account, saveUntil, storedSessions } from './ledger.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct('killed');
}, 120_000);
afterAll(async () => product?.stop());

const KILLED: ProductPart[] = ['exercises', 'identity', 'exercises', 'gateway', 'exercises'];

test('kill -9 during a load of saves loses nothing, doubles nothing, and the dashboard agrees afterwards', async () => {
  const stop = new AbortController();
  const load = saveUntil(product.url, { clients: 4, stop: stop.signal });
  for (const part of KILLED) {
    await sleep(1_500);
    await product.kill(part);
    await sleep(300);
    await product.start(part);
  }
  await sleep(1_000);
  stop.abort();
  await load.done;

  const stored = await storedSessions(product.url);
  expect(account(load.entries, stored)).toEqual({ lost: [], doubled: [], ghosts: [] });
  // Nothing was exercised when no save met a dead process.
  expect(load.failures.length).toBeGreaterThan(0);
  expect(stored.length).toBeGreaterThan(KILLED.length);
  await eventually(async () => {
    const { body } = await createClient(dashboardApi, { baseUrl: product.url }).getDashboard();
    expect(body.counts).toMatchObject({ sessions: stored.length, participants: stored.length });
  }, 60_000);
}, 180_000);

test('negative control: the accounting sees a lost, a doubled and a ghost session', () => {
  const entries = [
    { key: 'a', id: '1' },
    { key: 'b', id: '2' },
  ];
  const stored = [
    { id: '2', title: 'b' },
    { id: '3', title: 'b' },
    { id: '4', title: 'c' },
  ];
  expect(account(entries, stored)).toEqual({ lost: ['a'], doubled: ['b'], ghosts: ['4'] });
});
