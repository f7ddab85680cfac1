// A worker: measures what long inputs that patterns suggest themselves cost.
import { parentPort, workerData } from 'node:worker_threads';
import { growthOf } from '@muster/testing/growth';
import { attacksOn } from './attacks.ts';
import type { Pattern } from './collect.ts';

const LENGTH = 20_000;
/** One is linear, four is squared. */
const MOST_GROWTH = 2;

/** The input that makes a pattern slower than its length does, or null. */
function findingOf({ source, flags }: Pattern): string | null {
  const pattern = new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
  for (const { head, unit, tail } of attacksOn(source, flags)) {
    const growth = growthOf((length) => {
      `${head}${unit.repeat(Math.ceil(length / unit.length))}${tail}`.replace(pattern, '');
    }, LENGTH);
    if (growth > MOST_GROWTH) return `${JSON.stringify({ head, unit, tail })} grows ${growth.toFixed(1)}`;
  }
  return null;
}

for (const [at, pattern] of (workerData as Pattern[]).entries()) {
  parentPort?.postMessage({ at });
  parentPort?.postMessage({ at, finding: findingOf(pattern) });
}
