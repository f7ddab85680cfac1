import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Removes data and logs of test runs of this checkout that ended without removing them. */
export function removeAbandoned(home: string): void {
  for (const directory of [home, join(home, 'log')]) {
    for (const name of existsSync(directory) ? readdirSync(directory) : []) {
      const pid = Number(/^test-(\d+)-\d+$/.exec(name)?.[1]);
      if (pid > 0 && !isAlive(pid)) rmSync(join(directory, name), { recursive: true, force: true });
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
