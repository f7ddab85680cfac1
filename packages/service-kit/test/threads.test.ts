import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { holdsTooMuch } from '../src/http/hostile.ts';
import { inThread, Overdue } from '../src/threads/thread.ts';
import type busy from './busy.thread.ts';

const module = new URL('./busy.thread.ts', import.meta.url);
const patient = inThread<typeof busy>(module, 20_000);
const hasty = inThread<typeof busy>(module, 700);

test('work in a thread answers or raises as it does here', async () => {
  expect(await patient('answer')).toBe('answer');
  await expect(patient('raise')).rejects.toThrow('as it was asked to');
});

test('what does not end is ended, holds no loop meanwhile, and leaves room for what comes after', async () => {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const all = Array.from({ length: 4 }, () => hasty('for ever'));
  const next = patient('answer');
  const told = await Promise.allSettled(all);
  delay.disable();
  for (const one of told) expect(one).toMatchObject({ status: 'rejected', reason: expect.any(Overdue) });
  expect(await next).toBe('answer');
  expect(delay.percentile(50) / 1e6).toBeLessThan(200);
});

test('what takes too much memory is ended, and this process is not', async () => {
  await expect(patient('memory')).rejects.toBeInstanceOf(Overdue);
  expect(await patient('answer')).toBe('answer');
}, 60_000);

test('a caller who has gone ends what was done for them', async () => {
  const gone = new AbortController();
  const asked = patient('for ever', gone.signal);
  await sleep(300);
  gone.abort(new Error('gone'));
  await expect(asked).rejects.toThrow('gone');
});

test.each([
  ['many values', '[[],'.padEnd(1_000_000, '[],')],
  ['many keys', `{${'"a":1,'.repeat(500_000)}`],
])('JSON of %s is refused before it is parsed', (_name, json) => {
  expect(holdsTooMuch(Buffer.from(json))).toBe(true);
});

test('marks inside of texts count for nothing', () => {
  const text = JSON.stringify({ text: '[{,\\",'.repeat(500_000) });
  expect(holdsTooMuch(Buffer.from(text))).toBe(false);
});
