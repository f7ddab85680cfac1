import { setImmediate as soon } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { turns } from './transaction.ts';

test('so many run at once and no more, in the order in which they came, whatever fails', async () => {
  const steps = fc.array(fc.record({ long: fc.nat(3), fails: fc.boolean() }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), steps, async (most, given) => {
      const inTurn = turns(most);
      const began: number[] = [];
      let running = 0;
      const outcomes = await Promise.allSettled(
        given.map(({ long, fails }, at) =>
          inTurn(async () => {
            began.push(at);
            running += 1;
            expect(running).toBeLessThanOrEqual(most);
            for (let step = 0; step < long; step += 1) await soon();
            running -= 1;
            if (fails) throw new Error('failed');
            return at;
          }),
        ),
      );
      expect(began).toEqual(given.map((_, at) => at));
      expect(outcomes.map(({ status }) => status === 'rejected')).toEqual(given.map(({ fails }) => fails));
    }),
  );
});
