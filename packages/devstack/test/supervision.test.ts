import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { type Child, spawnChild } from '../src/processes/child.ts';
import { type Supervised, supervise } from '../src/processes/supervisor.ts';

let supervised: Supervised | undefined;
afterEach(() => supervised?.stop());

const sleeper = (seconds = 300) =>
  spawnChild({ name: 'sleeper', command: '/bin/sh', args: ['-c', `sleep ${seconds}`] });

/** A supervised sleeper that remembers what was started and said; `launch` may be replaced. */
function setUp(launch: (attempt: number) => Promise<Child> = async () => sleeper()) {
  const children: Child[] = [];
  const said: string[] = [];
  const report = (line: string) => said.push(line);
  supervised = supervise({
    name: 'sleeper',
    report,
    backoff: () => 50,
    launch: async () => {
      const child = await launch(children.length + 1);
      children.push(child);
      return child;
    },
  });
  return { children, said, part: supervised };
}

/** Process groups that have a process which still runs; one that only waits to be buried does not count. */
function groups(): number[] {
  const rows = execFileSync('ps', ['-axo', 'pgid=,stat='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = rows.map((row) => row.trim().split(/\s+/));
  return pairs.filter(([, state]) => !state?.startsWith('Z')).map(([group]) => Number(group));
}

async function until(holds: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 5_000; !holds() && Date.now() < deadline; ) await sleep(20);
  expect(holds()).toBe(true);
}

test('a child that is killed comes back, and one line says each', async () => {
  const { children, said, part } = setUp();
  await part.start();
  part.kill();
  await until(() => said.length === 2);
  expect(children).toHaveLength(2);
  expect(children[0]?.pid).not.toBe(children[1]?.pid);
  expect(said[0]).toBe('sleeper ended (SIGKILL); starting it again in 0.1 s');
  expect(said[1]).toMatch(/^sleeper is back after/);
});

test('a child that was stopped stays down until it is started', async () => {
  const { children, said, part } = setUp();
  await part.start();
  await part.stop();
  await sleep(200);
  expect([children.length, said.length, part.running]).toEqual([1, 0, false]);
  await part.start();
  expect([children.length, part.running]).toEqual([2, true]);
});

test('starting that fails once is tried again, starting that fails at first is raised', async () => {
  const { said, part } = setUp(async (attempt) => {
    if (attempt > 1 && said.length < 2) throw new Error('no port');
    return sleeper();
  });
  await part.start();
  part.kill();
  await until(() => said.some((line) => line.startsWith('sleeper is back')));
  expect(said[1]).toBe('sleeper did not start: no port; trying again in 0.1 s');

  const never = supervise({
    name: 'never',
    report: () => {},
    launch: () => Promise.reject(new Error('no program')),
  });
  await expect(never.start()).rejects.toThrow('no program');
  expect(never.running).toBe(false);
});

test('stopping during the pause before a new start starts nothing', async () => {
  const { children, said, part } = setUp();
  await part.start();
  part.kill();
  await until(() => said.length === 1);
  await part.stop();
  await sleep(200);
  expect(children).toHaveLength(1);
});

test('a program that does not exist is told, not thrown', async () => {
  const child = spawnChild({ name: 'ghost', command: '/no/such/program', args: [] });
  expect(await child.exited).toContain('cannot run /no/such/program');
  await child.stop();
});

test('stop ends a whole group that ignores the request', async () => {
  const script = "trap '' TERM; sleep 300 & wait";
  const child = spawnChild({ name: 'stubborn', command: '/bin/sh', args: ['-c', script] });
  await sleep(100);
  await child.stop(200);
  expect(await child.exited).toBe('SIGKILL');
  await until(() => !groups().includes(child.pid));
});
