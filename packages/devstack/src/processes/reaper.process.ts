import { spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { groupIsAlive, signalGroup } from './groups.ts';

/**
 * The reaper: a process of its own that outlives its launcher for a moment and ends what the launcher left behind.
 * It reads lines from the launcher: `+<group>` and `-<group>` register and forget a process group,
 * `!<json array>` and `~<json array>` a command to run. When the pipe closes, by whatever end the launcher
 * met, every registered group is asked to stop, then made to, and the commands run.
 */
const groups = new Set<number>();
const commands = new Set<string>();
const GRACE_MS = 10_000;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

createInterface({ input: process.stdin }).on('line', note).on('close', reap);

function note(line: string): void {
  if (line.startsWith('+')) groups.add(Number(line.slice(1)));
  if (line.startsWith('-')) groups.delete(Number(line.slice(1)));
  if (line.startsWith('!')) commands.add(line.slice(1));
  if (line.startsWith('~')) commands.delete(line.slice(1));
}

async function reap(): Promise<void> {
  for (const group of groups) signalGroup(group, 'SIGTERM');
  const deadline = Date.now() + GRACE_MS;
  while (Date.now() < deadline && [...groups].some(groupIsAlive)) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  for (const group of groups) signalGroup(group, 'SIGKILL');
  for (const command of commands) {
    const [program = '', ...args]: string[] = JSON.parse(command);
    spawnSync(program, args, { stdio: 'ignore' });
  }
  process.exit(0);
}
