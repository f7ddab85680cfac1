import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createOrdered } from './ordered.ts';

test('keeps the order of one key, takes together what waits, and runs other keys side by side', async () => {
  const seen: string[] = [];
  const inOrder = createOrdered<string>(2, async (items) => {
    await sleep(items.includes('a1') ? 40 : 1);
    seen.push(items.join('+'));
  });
  const first = inOrder('a', 'a1');
  await Promise.all([first, inOrder('a', 'a2'), inOrder('b', 'b1'), inOrder('a', 'a3'), inOrder('a', 'a4')]);
  expect(seen).toEqual(['b1', 'a1', 'a2+a3', 'a4']);
  await inOrder('a', 'a5');
  expect(seen.at(-1)).toBe('a5');
});
