import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Bench, bench, changed, commit, event, until } from './bench.ts';
import { endChild, startChild } from './child.ts';

let at: Bench;
beforeAll(async () => {
  at = await bench('poison');
});
afterAll(() => at.cleanup());

test('a message that ends the process is parked alone; those beside it are handled', async () => {
  const exercises = await at.run('exercises', { subscriptions: { twin: [changed.type] } });
  const poison = event('poison', 1, 'poison');
  const innocent = Array.from({ length: 12 }, (_, index) => event(`innocent${index}`, 1));
  await commit(exercises, [...innocent.slice(0, 6), poison, ...innocent.slice(6)]);

  // Nothing here consumes: this process only looks into the other's database.
  const twin = await at.run('twin', { role: 'api' });
  let deaths = 0;
  let child = startChild('eater', at.engines);
  const parked = () => twin.messaging.parked.list();
  for (;;) {
    const died = once(child, 'exit').then(() => true);
    const done = until(parked, (list) => list.length > 0, 30_000).then(() => false);
    if (!(await Promise.race([died, done]))) break;
    deaths += 1;
    child = startChild('eater', at.engines);
  }
  expect((await parked()).map(({ id }) => id)).toEqual([poison.id]);
  expect((await parked())[0]?.reason).toContain('ended the process');
  await until(
    () => twin.connection.db?.collection('eaten').countDocuments(),
    (count) => count === innocent.length,
  );
  expect(deaths).toBeGreaterThan(3);
  expect(deaths).toBeLessThan(15);
  await endChild(child);
}, 120_000);
