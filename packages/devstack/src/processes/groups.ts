import { spawnSync } from 'node:child_process';

/**
 * Sends a signal to every process of a group; one that is gone already is no error.
 * @param group id of the group, which is the pid of the process it began with
 */
export function signalGroup(group: number, signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): void {
  // kill(0) and kill(-1) would reach far more than a group.
  if (!(group > 1)) return;
  if (process.platform === 'win32') {
    // Windows has no groups and no gentle signal: the tree below the process is ended.
    spawnSync('taskkill', ['/PID', String(group), '/T', '/F'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-group, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Whether any process of the group still runs. */
export function groupIsAlive(group: number): boolean {
  if (!(group > 1)) return false;
  try {
    process.kill(process.platform === 'win32' ? group : -group, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
