import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { mayMount, systemOr } from './programs.ts';
import { isBuilt, privileges, rootfs } from './rootfs.ts';

/** `built`: it can start at once; `buildable`: it can be made from Debian's packages first. */
export type Availability = { state: 'built' | 'buildable' } | { no: string };

/** Whether the engine can be had on this machine. Looks only. */
export async function documentDbAvailability(cacheDir?: string): Promise<Availability> {
  if (process.platform !== 'linux') return { no: 'it runs on Linux only' };
  if (process.arch !== 'x64' && process.arch !== 'arm64') return { no: `there is none for ${process.arch}` };
  if (process.getuid?.() === 0 && !(await mayMount()))
    return { no: 'this container does not let root mount (--cap-add SYS_ADMIN would)' };
  const made = await rootfs(cacheDir);
  if (systemOr(made) !== made || isBuilt(made)) return { state: 'built' };
  const apt = await promisify(execFile)('apt-get', ['--version']).catch(() => undefined);
  if (!apt) return { no: 'it comes from Debian packages, and apt-get is not here' };
  if (!(await privileges())) return { no: 'making it needs root, or sudo without a password' };
  return { state: 'buildable' };
}
