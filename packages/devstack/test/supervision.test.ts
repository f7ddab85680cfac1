import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { whenReady } from '../src/engines/readiness.ts';
import { freePort } from '../src/ports/ports.ts';
import { type Child, spawnChild } from '../src/processes/child.ts';
import { type Supervised, supervise } from '../src/processes/supervisor.ts';

let supervised: Supervised | undefined;
afterEach(() => supervised?.stop());

const BLOCKED = fileURLToPath(new URL('./blocked.fixture.ts', import.meta.url));

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

async function until(holds: () => boolean, withinMs = 5_000): Promise<void> {
  for (const deadline = Date.now() + withinMs; !holds() && Date.now() < deadline; ) await sleep(20);
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

/** A supervised server whose loop can be blocked, probed ten times a second. */
async function startServer() {
  const port = await freePort();
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(2_000) });
    await answer.text();
  };
  const said: string[] = [];
  const pids: number[] = [];
  supervised = supervise({
    name: 'server',
    report: (line) => said.push(line),
    backoff: () => 50,
    pulse: { answers: () => ask('/live'), everyMs: 200 },
    launch: () => {
      const options = { command: process.execPath, args: [BLOCKED, String(port)] };
      const child = spawnChild({ name: 'server', ...options });
      pids.push(child.pid);
      return whenReady(child, () => ask('/live'), 10_000, 'no log');
    },
  });
  await supervised.start();
  return { ask, said, pids, part: supervised };
}

test('a service whose loop is blocked is ended and started again, and one line says why', async () => {
  const { ask, said } = await startServer();
  await ask('/block');
  await until(() => said.length === 2, 20_000);
  expect(said).toEqual([
    'server ended (silent for 1 s); starting it again in 0.1 s',
    expect.stringMatching(/^server is back after/),
  ]);
  await ask('/live');
}, 30_000);

test('a service that a signal has stopped counts as silent', async () => {
  const { said, pids } = await startServer();
  process.kill(pids[0] ?? 0, 'SIGSTOP');
  await until(() => said.length === 2, 20_000);
  expect(said[0]).toBe('server ended (silent for 1 s); starting it again in 0.1 s');
}, 30_000);

test('a service that is to stop has its time, silent or not', async () => {
  const { said, pids, part } = await startServer();
  process.kill(pids[0] ?? 0, 'SIGSTOP');
  const since = performance.now();
  await part.stop(2_000);
  expect(performance.now() - since).toBeGreaterThan(1_900);
  expect(said).toEqual([]);
}, 30_000);
