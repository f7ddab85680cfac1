import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const FIXTURE = fileURLToPath(new URL('./launcher.fixture.ts', import.meta.url));

/** All processes that descend from one, by pid. */
function descendants(ancestor: number): number[] {
  const rows = execFileSync('ps', ['-axo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const parents = new Map(rows.map((row) => row.trim().split(/\s+/).map(Number) as [number, number]));
  const descends = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === ancestor || descends(parent));
  };
  return [...parents.keys()].filter((pid) => pid > 1 && descends(pid));
}

/** Those of the processes that still run; one that has ended but was not waited for does not. */
function alive(pids: number[]): number[] {
  const rows = execFileSync('ps', ['-axo', 'pid=,stat='], { encoding: 'utf8' }).trim().split('\n');
  const states = new Map(rows.map((row) => row.trim().split(/\s+/) as [string, string]));
  return pids.filter((pid) => !(states.get(String(pid)) ?? 'Z').startsWith('Z'));
}

test('a launcher that is killed leaves nothing behind, nor does its reaper stay', async () => {
  const launcher = spawn(process.execPath, [FIXTURE], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(launcher.stdout, 'data');
  const pids = descendants(launcher.pid ?? 0);
  // Three shells, the sleeps below them, the reaper.
  expect(pids.length).toBeGreaterThanOrEqual(6);

  launcher.kill('SIGKILL');
  const deadline = Date.now() + 20_000;
  while (alive(pids).length > 0 && Date.now() < deadline) await sleep(100);
  expect(alive(pids)).toEqual([]);
}, 30_000);
