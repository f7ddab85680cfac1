import { afterAll, beforeAll, test } from '@jest/globals';
import { consumer } from '../src/index.ts';
import { type Bench, bench, changed, commit, event, until } from './bench.ts';
let at: Bench;
beforeAll(async () => { at = await bench('zz'); });
afterAll(() => at.cleanup());
test('rate', async () => {
  const ex = await at.run('exercises', { subscriptions: { twin: [changed.type] }, timings: { ...(await import('./bench.ts')).FAST, confirmMs: 10000 } });
  const pend = () => ex.connection.db!.collection('outbox').countDocuments({ pending: { $gt: '' } });
  let t = performance.now();
  for (let i = 0; i < 10; i++) await commit(ex, Array.from({ length: 500 }, (_, k) => event(`a${k}`, i)));
  const c = performance.now() - t;
  await until(pend, (n) => n === 0, 60000);
  const out = [`commit 5000 in ${c}, published ${performance.now() - t}`];
  let n = 0; 
  const lat: number[] = [];
  t = performance.now();
  const twin = await at.run('twin', { consumers: [consumer(changed, async (e, tx) => { await tx.db.collection('x').insertOne({ e: e.id }, { session: tx.session }); n++; if (e.data.text) lat.push(performance.now() - Number(e.data.text)); })] });
  await until(() => n, (v) => v >= 5000, 100000);
  out.push(`consumed 5000 in ${performance.now() - t}`);
  for (let i = 0; i < 100; i++) { await commit(ex, [event('lat', i, String(performance.now()))]); await new Promise((r) => setTimeout(r, 15)); }
  await until(() => lat.length, (v) => v === 100);
  lat.sort((a, b) => a - b);
  out.push(`commit-to-handler p50 ${lat[50]} p95 ${lat[95]} max ${lat[99]}`);
  // one hot aggregate
  t = performance.now();
  await commit(ex, Array.from({ length: 1000 }, (_, k) => event(`hot`, k)));
  await until(pend, (x) => x === 0, 60000);
  out.push(`1000 of one aggregate published in ${performance.now() - t}`);
  console.log(out.join('\n'));
  void twin;
}, 200000);
