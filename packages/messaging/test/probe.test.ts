import { afterAll, beforeAll, test } from '@jest/globals';
import { type Bench, bench, changed, commit, event, FAST } from './bench.ts';

let at: Bench;
beforeAll(async () => {
  at = await bench('probe');
});
afterAll(() => at.cleanup());
test('x', async () => {
  const out: string[] = [];
  for (let i = 0; i < 12; i++) {
    const e = await at.run('exercises', { subscriptions: { twin: [changed.type] } });
    if (i % 2) await new Promise((r) => setTimeout(r, 20 * i));
    if (i > 6) await commit(e, [event('x', i)]);
    const t = performance.now();
    await e.stop();
    out.push(`${i} ${performance.now() - t}`);
  }
  console.log(out.join('\n'));
}, 120000);
