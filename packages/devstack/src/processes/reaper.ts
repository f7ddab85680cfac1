import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

let running: ChildProcess | undefined;
let reaping = false;

/** Whether everything is being ended: nothing is to be started again. */
export function isReaping(): boolean {
  return reaping;
}

/**
 * Puts a process group under the reaper's care: it ends when this process ends, even by SIGKILL.
 * @param group pid of the group's first process
 */
export function entrust(group: number): void {
  tell(`+${group}`);
}

/** Takes a process group out of the reaper's care, once it has ended. */
export function release(group: number): void {
  tell(`-${group}`);
}

/**
 * Has a command run when this process ends before `releaseCommand`, such as removing a container.
 * @param command program and its arguments
 */
export function entrustCommand(command: string[]): void {
  tell(`!${JSON.stringify(command)}`);
}

/** Takes a command back that the reaper would have run. */
export function releaseCommand(command: string[]): void {
  tell(`~${JSON.stringify(command)}`);
}

/** Has everything under the reaper's care ended now, and waits for it: at most 10 s and what the commands take. */
export async function reapNow(): Promise<void> {
  const reaper = running;
  reaping = true;
  running = undefined;
  if (reaper === undefined || reaper.exitCode !== null) return;
  reaper.ref();
  const gone = new Promise((resolve) => reaper.once('exit', resolve));
  reaper.stdin?.end();
  await gone;
}

function tell(line: string): void {
  running ??= startReaper();
  running.stdin?.write(`${line}\n`);
}

function startReaper(): ChildProcess {
  const program = fileURLToPath(new URL('./reaper.process.ts', import.meta.url));
  const reaper = spawn(process.execPath, [program], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  reaper.stdin?.on('error', () => {});
  reaper.on('error', () => {});
  // Neither the process nor its pipe may keep the launcher alive.
  reaper.unref();
  (reaper.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  return reaper;
}
