import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createOrdered } from './ordered.ts';

test('keeps the order of one key, runs other keys side by side, and outlives a failure', async () => {
  const inOrder = createOrdered();
  const seen: string[] = [];
  const work = (name: string, ms: number) => async () => {
    await sleep(ms);
    seen.push(name);
    if (name === 'a1') throw new Error('a1 failed');
  };
  const first = inOrder('a', work('a1', 40));
  const rest = [inOrder('a', work('a2', 1)), inOrder('b', work('b1', 1)), inOrder('a', work('a3', 1))];
  await expect(first).rejects.toThrow('a1 failed');
  await Promise.all(rest);
  expect(seen).toEqual(['b1', 'a1', 'a2', 'a3']);
});
