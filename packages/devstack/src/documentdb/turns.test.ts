import { expect, test } from '@jest/globals';
import { createTurns } from './turns.ts';

test('work of one key waits for what came before, also when that fails; other keys do not wait', async () => {
  const turns = createTurns();
  const ran: string[] = [];
  const first = Promise.withResolvers<void>();
  const failing = turns('a', async () => {
    await first.promise;
    ran.push('first');
    throw new Error('no luck');
  });
  const second = turns('a', async () => ran.push('second'));
  await turns('b', async () => ran.push('other'));
  expect(ran).toEqual(['other']);
  first.resolve();
  await expect(failing).rejects.toThrow('no luck');
  await second;
  expect(ran).toEqual(['other', 'first', 'second']);
});
