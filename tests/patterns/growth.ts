// A worker: measures what the longest inputs that patterns suggest themselves cost, and whether twice as long costs twice as much.
import { parentPort, workerData } from 'node:worker_threads';
import { type Attack, attacksOn } from './attacks.ts';
import type { Pattern } from './collect.ts';

const LENGTH = 20_000;
/** Four times the length costs linear patterns four times as much, and sixteen times as much where it is squared. */
const LONGER = 4;
const MOST_GROWTH = 8;
/** Less says nothing of growth. */
const FLOOR_MS = 8;
const RUNS = 3;
const ENOUGH_MS = 300;

function inputOf({ head, unit, tail }: Attack, length: number): string {
  return head + unit.repeat(Math.ceil(length / unit.length)) + tail;
}

/** In milliseconds of this thread alone, however busy the machine is. */
function costOf(pattern: RegExp, text: string): number {
  const from = process.threadCpuUsage();
  text.replace(pattern, '');
  const { user, system } = process.threadCpuUsage(from);
  return (user + system) / 1000;
}

/** The least of some runs, or the first that is long enough to be sure of. */
function surely(pattern: RegExp, text: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run += 1) {
    least = Math.min(least, costOf(pattern, text));
    if (least > ENOUGH_MS) break;
  }
  return least;
}

/** The input that a pattern's cost grows with faster than its length, or null. */
function findingOf({ source, flags }: Pattern): string | null {
  const pattern = new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
  for (const attack of attacksOn(source, flags)) {
    if (costOf(pattern, inputOf(attack, LENGTH)) < FLOOR_MS) continue;
    if (growthAt(pattern, attack, LENGTH) < MOST_GROWTH) continue;
    // Twice, since another process may have held the machine.
    const growth = growthAt(pattern, attack, LENGTH * LONGER);
    if (growth > MOST_GROWTH) return `${JSON.stringify(attack)} ${growth.toFixed(1)} times the cost`;
  }
  return null;
}

function growthAt(pattern: RegExp, attack: Attack, length: number): number {
  const shorter = surely(pattern, inputOf(attack, length / LONGER));
  return surely(pattern, inputOf(attack, length)) / shorter;
}

for (const [at, pattern] of (workerData as Pattern[]).entries()) {
  parentPort?.postMessage({ at, state: 'begun' });
  parentPort?.postMessage({ at, state: 'done', finding: findingOf(pattern) });
}
