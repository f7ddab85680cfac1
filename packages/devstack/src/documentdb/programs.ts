import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Rootfs } from './rootfs.ts';

const BIN = 'usr/lib/postgresql/18/bin';
const EXTENSION = 'usr/share/postgresql/18/extension/documentdb.control';
const ARCHITECTURES: Partial<Record<NodeJS.Architecture, { libraries: string; loader: string }>> = {
  x64: { libraries: 'usr/lib/x86_64-linux-gnu', loader: 'lib64/ld-linux-x86-64.so.2' },
  arm64: { libraries: 'usr/lib/aarch64-linux-gnu', loader: 'lib/ld-linux-aarch64.so.1' },
};

export type ProgramName = 'initdb' | 'postgres';

/** How PostgreSQL's programs are run on one cluster here. */
export interface Programs {
  /** The cluster's directory as the programs see it; also where their socket is. */
  seen: string;
  /** The command line that runs a program, which is killed when its parent dies, however that happens. */
  command(name: ProgramName, args: string[]): [string, ...string[]];
  /** Takes away what was needed only while they ran. */
  leave(): void;
}

/** The system's own directory when it has the package, else the one that was made. */
export function systemOr(made: Rootfs): Rootfs {
  return existsSync(join('/', EXTENSION)) ? { dir: '/' } : made;
}

/** Whether this process may have mounts of its own. */
export async function mayMount(): Promise<boolean> {
  return promisify(execFile)('unshare', ['--mount', 'true']).then(
    () => true,
    () => false,
  );
}

/**
 * Chooses how to run the programs of a root directory on a cluster, whose directory is made when it is missing.
 * PostgreSQL refuses to be root, so root runs it as that directory's user `postgres`; anybody else as oneself.
 */
export async function programsFor(rootfs: Rootfs, cluster: string): Promise<Programs> {
  await mkdir(cluster, { recursive: true, mode: 0o700 });
  return process.getuid?.() === 0 ? inside(rootfs, cluster) : beside(rootfs, cluster);
}

/**
 * Inside the root directory, with the cluster at /mnt. Each step replaces the one before, so the child's own pid
 * is the program's; the mounts are private to it and gone with it.
 */
async function inside({ dir }: Rootfs, cluster: string): Promise<Programs> {
  const passwd = await readFile(join(dir, 'etc/passwd'), 'utf8');
  const [, , uid, gid] =
    passwd
      .split('\n')
      .find((line) => line.startsWith('postgres:'))
      ?.split(':') ?? [];
  await chown(cluster, Number(uid), Number(gid));
  const mounts = dir === '/' ? [] : ['mount --rbind /dev "$0/dev"', 'mount --rbind /proc "$0/proc"'];
  const script = [
    ...mounts,
    'mount --bind "$1" "$0/mnt"',
    'root=$0; shift',
    'exec chroot "$root" setpriv --reuid postgres --regid postgres --init-groups --pdeathsig KILL "$@"',
  ].join(' && ');
  const enter = ['--mount', '--propagation', 'private', 'sh', '-c', script, dir, cluster];
  const command: Programs['command'] = (name, args) => ['unshare', ...enter, `/${BIN}/${name}`, ...args];
  return { seen: '/mnt', command, leave: () => {} };
}

/**
 * As this user, without any right: the programs are started by the root directory's own loader with its own
 * libraries, because the system's may be too old for them. The directory that they see is a short link: a
 * socket's path has at most 107 bytes.
 */
async function beside({ dir }: Rootfs, cluster: string): Promise<Programs> {
  const seen = join(tmpdir(), `muster-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`);
  await symlink(cluster, seen).catch(() => {});
  if ((await readlink(seen)) !== cluster) throw new Error(`${seen} is in the way: remove it`);
  const wrappers = join(cluster, '..', 'bin');
  await mkdir(wrappers, { recursive: true });
  for (const name of ['initdb', 'postgres'] as const) await wrap(dir, wrappers, name);
  const enter = ['setpriv', '--pdeathsig', 'KILL'] as const;
  const command: Programs['command'] = (name, args) => [...enter, join(wrappers, name), ...args];
  return { seen, command, leave: () => rmSync(seen, { force: true }) };
}

/** A script that runs a program; initdb looks for postgres where it believes to be itself. */
async function wrap(dir: string, wrappers: string, name: ProgramName): Promise<void> {
  const program = join(dir, BIN, name);
  const parts = ARCHITECTURES[process.arch];
  const loader = [join(dir, parts?.loader ?? ''), '--library-path'];
  const libraries = [parts?.libraries ?? '', 'usr/lib/postgresql/18/lib']
    .map((part) => join(dir, part))
    .join(':');
  const believed = name === 'initdb' ? join(wrappers, name) : program;
  const command = dir === '/' ? [program] : [...loader, libraries, '--argv0', believed, program];
  const share = name === 'initdb' && dir !== '/' ? ['-L', join(dir, 'usr/share/postgresql/18')] : [];
  const quoted = [...command, ...share].map((part) => `'${part.replaceAll("'", "'\\''")}'`).join(' ');
  const path = join(wrappers, name);
  await writeFile(path, `#!/bin/sh\nexec ${quoted} "$@"\n`);
  await chmod(path, 0o755);
}
