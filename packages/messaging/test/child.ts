import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll } from '@jest/globals';
import type { TestEngines } from '@muster/devstack';

const PROGRAM = fileURLToPath(new URL('./child.process.ts', import.meta.url));

/** One that a failed test left, frozen perhaps, would keep the whole run from ending. */
const children: ChildProcess[] = [];
afterAll(async () => {
  for (const child of children) await endChild(child);
});

/** A real process that can be killed: `eater` and `batch eater` consume, `sleeper` runs jobs that never end. */
export function startChild(role: 'eater' | 'batch eater' | 'sleeper', engines: TestEngines): ChildProcess {
  const child = spawn(process.execPath, [PROGRAM], {
    env: { ...process.env, MESSAGING_CHILD: JSON.stringify({ role, engines }) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.push(child);
  return child;
}

/** Kills a child if it still lives, and waits until it is gone. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
