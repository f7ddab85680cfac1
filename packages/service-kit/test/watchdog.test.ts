import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';

const FIXTURE = fileURLToPath(new URL('./watchdog.fixture.ts', import.meta.url));
let child: ChildProcessWithoutNullStreams;
afterEach(() => {
  child.kill('SIGKILL');
});

async function start(...options: string[]): Promise<void> {
  child = spawn(process.execPath, [...options, FIXTURE]);
  await said('ready');
  // The worker needs a moment to begin.
  await sleep(500);
}

async function said(word: string): Promise<void> {
  for await (const [chunk] of on(child.stdout)) if (String(chunk).includes(word)) return;
}

async function* on(stream: NodeJS.ReadableStream) {
  for (;;) yield await once(stream, 'data');
}

test('a process whose loop is blocked is ended, and says so', async () => {
  await start();
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  child.stdin.write('60000');
  expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
  const line = log.split('\n').find((entry) => entry.startsWith('{'));
  expect(JSON.parse(line ?? '')).toMatchObject({
    level: 60,
    service: 'fixture',
    msg: 'the event loop was silent for 1 s: this process ends',
  });
}, 20_000);

test('a loop that comes round late, again and again, is left alone', async () => {
  await start();
  for (let times = 0; times < 4; times++) {
    child.stdin.write('400');
    await said('turns');
  }
});

test('a process that was stopped and goes on is left alone, as after the sleep of a machine', async () => {
  await start();
  child.kill('SIGSTOP');
  await sleep(3_000);
  child.kill('SIGCONT');
  child.stdin.write('1');
  await said('turns');
});

test('a process with a debugger is left alone: it may hold the loop', async () => {
  await start('--inspect=127.0.0.1:0');
  await sleep(1_000);
  child.stdin.write('3000');
  await said('turns');
}, 20_000);
