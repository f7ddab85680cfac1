import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { groupIsAlive, signalGroup } from './groups.ts';
import { entrust, release } from './reaper.ts';

export interface ChildOptions {
  /** Name in messages, such as `redis`. */
  name: string;
  command: string;
  args: string[];
  /** Whole environment; the launcher's own unless given. */
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** File that receives standard output and error; emptied first. */
  logFile?: string;
  /** Sees each line of standard output and error. */
  onLine?: (line: string) => void;
  /** Lets it finish though this process ends: for what must not be cut off half-way. */
  lasting?: boolean;
  /** Signal that asks it to stop; SIGTERM unless given. */
  stopSignal?: 'SIGTERM' | 'SIGINT';
}

export interface Child {
  readonly name: string;
  readonly pid: number;
  /** Resolves to how it ended, such as `exit code 1` or `SIGKILL`; never rejects. */
  readonly exited: Promise<string>;
  /** Asks the whole group to stop, and after `graceMs` makes it. */
  stop(graceMs?: number): Promise<void>;
  /** Ends the whole group at once. */
  kill(): void;
}

/**
 * Starts a program in a process group of its own, under the reaper's care.
 * @returns the running child; a program that cannot be run shows up in `exited`
 */
export function spawnChild(options: ChildOptions): Child {
  const { name, command, args, env = process.env, cwd, lasting = false, stopSignal = 'SIGTERM' } = options;
  const process_ = spawn(command, args, { env, cwd, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const pid = process_.pid ?? 0;
  if (pid > 0 && !lasting) entrust(pid);
  process_.stdin.on('error', () => {});
  record(process_, options);

  const exited = new Promise<string>((resolve) => {
    process_.once('error', (error) => resolve(`cannot run ${command}: ${error.message}`));
    process_.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  }).then((how) => {
    if (pid > 0) {
      // What the first process left in its group must not outlive it.
      signalGroup(pid, 'SIGKILL');
      release(pid);
    }
    return how;
  });

  return {
    name,
    pid,
    exited,
    kill: () => signalGroup(pid, 'SIGKILL'),
    async stop(graceMs = 15_000) {
      if (pid === 0 || !groupIsAlive(pid)) return;
      signalGroup(pid, stopSignal);
      const late = new AbortController();
      await Promise.race([exited, sleep(graceMs, undefined, { signal: late.signal }).catch(() => {})]);
      late.abort();
      signalGroup(pid, 'SIGKILL');
      await exited;
    },
  };
}

function record(child: ReturnType<typeof spawn>, { logFile, onLine }: ChildOptions): void {
  if (logFile !== undefined) mkdirSync(dirname(logFile), { recursive: true });
  const log = logFile === undefined ? undefined : createWriteStream(logFile, { flags: 'w' });
  let open = 0;
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    open += 1;
    createInterface({ input: stream })
      .on('line', (line) => {
        log?.write(`${line}\n`);
        onLine?.(line);
      })
      .on('close', () => {
        open -= 1;
        if (open === 0) log?.end();
      });
  }
}
