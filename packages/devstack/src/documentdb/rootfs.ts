import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/** A directory with a whole system of its own in which the engine's programs are installed. */
export interface Rootfs {
  dir: string;
}

const NAME = 'documentdb-forky';
const PACKAGE = 'postgresql-18-documentdb';
const SUITE = 'forky';
const OPTIONS = [
  '--variant=essential',
  // Release files of archived mirrors have expired; their signatures are still checked.
  '--aptopt=Acquire::Check-Valid-Until "false"',
  '--aptopt=APT::Install-Recommends "false"',
  `--include=${PACKAGE}`,
];
/** Absolute links lead out of the directory when its programs run without chroot; alternatives come first: links lead to them. */
const RELATIVE_LINKS = `find "$0/etc/alternatives" "$0/usr/lib" "$0/usr/share/postgresql" -type l -lname '/*' | while read -r link; do
  ln -srfn "$0$(readlink "$link")" "$link"
done`;
const OTHER_WAYS =
  'Other ways to a MongoDB: set MONGODB_URI to the URL of a replica set, start Docker, or allow the download from fastdl.mongodb.org.';

/** Where the root directory is, or will be: in the per-user cache, outside of any checkout. */
export async function rootfs(cacheDir?: string): Promise<Rootfs> {
  const cache = cacheDir ?? process.env.MUSTER_CACHE ?? join(homedir(), '.cache', 'muster');
  return { dir: join(cache, NAME) };
}

/** Whether it is whole: it gets its name only when it is. */
export function isBuilt({ dir }: Rootfs): boolean {
  return existsSync(dir);
}

/** How to get root's rights for making it; undefined when there is no way without asking. */
export async function privileges(): Promise<string[] | undefined> {
  if (process.getuid?.() === 0) return [];
  return (await succeeds('sudo', ['-n', 'true'])) ? ['sudo', '-n'] : undefined;
}

/**
 * Makes the root directory from Debian's packages when it is not there: 650 MB, half a minute.
 * @param log receives a line for people about each step
 * @throws Error saying why it cannot be made, and what else can be done
 */
export async function buildRootfs(target: Rootfs, log: (line: string) => void): Promise<void> {
  if (isBuilt(target)) return;
  const as = await privileges();
  if (!as)
    throw new Error(
      `DocumentDB cannot be installed: it needs root or sudo without a password. ${OTHER_WAYS}`,
    );
  const fresh = `${target.dir}.${process.pid}.new`;
  try {
    await mkdir(dirname(target.dir), { recursive: true });
    await removeLeftovers(target, as);
    await installMmdebstrap(as, log);
    log(
      `mongodb: making DocumentDB's root directory ${target.dir} from Debian ${SUITE} (650 MB, about half a minute)`,
    );
    await run([...as, ...bootstrap(fresh)]);
    await run([...as, 'sh', '-c', RELATIVE_LINKS, fresh]);
    await rename(fresh, target.dir).catch((error) => {
      // Another start was quicker: its directory is as good.
      if (!isBuilt(target)) throw error;
    });
  } catch (error) {
    throw new Error(`DocumentDB cannot be installed: ${(error as Error).message}. ${OTHER_WAYS}`);
  } finally {
    await run([...as, 'rm', '-rf', '--one-file-system', fresh]).catch(() => {});
  }
}

/** In mounts of its own, and ended with this process: nothing stays mounted or running when it is interrupted. */
function bootstrap(fresh: string): string[] {
  // It knows the suite and Debian's own mirror.
  const mmdebstrap = ['mmdebstrap', ...OPTIONS, SUITE, fresh];
  return ['setpriv', '--pdeathsig', 'TERM', 'unshare', '--mount', '--propagation', 'private', ...mmdebstrap];
}

/** What builds left behind that were killed. */
async function removeLeftovers({ dir }: Rootfs, as: string[]): Promise<void> {
  for (const name of await readdir(dirname(dir))) {
    const pid = /^documentdb-forky\.(\d+)\.new$/.exec(name)?.[1];
    if (pid && !existsSync(`/proc/${pid}`))
      await run([...as, 'rm', '-rf', '--one-file-system', join(dirname(dir), name)]);
  }
}

async function installMmdebstrap(as: string[], log: (line: string) => void): Promise<void> {
  if (await succeeds('mmdebstrap', ['--version'])) return;
  log(`mongodb: installing mmdebstrap with apt-get${as.length > 0 ? ' as sudo' : ''}`);
  const apt = [
    ...as,
    'env',
    'DEBIAN_FRONTEND=noninteractive',
    'apt-get',
    '-q',
    '-o',
    'DPkg::Lock::Timeout=300',
  ];
  await run([...apt, 'update']).catch(() => {});
  await run([...apt, '-y', '--no-install-recommends', 'install', 'mmdebstrap']);
}

/** Runs a command quietly; raises an Error with its last words. */
async function run(command: string[]): Promise<void> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => lines.push(line));
  }
  const code = await new Promise<number | string>((done) => {
    child
      .once('error', (error) => done(error.message))
      .once('close', (status, signal) => done(status ?? signal ?? 1));
  });
  if (code === 0) return;
  const words =
    lines.filter((line) => /^(E:|mmdebstrap: error)|[Ee]rror/.test(line)).at(-1) ?? lines.at(-1) ?? '';
  throw new Error(`${program} ended with ${code}: ${words.trim()}`);
}

async function succeeds(program: string, args: string[]): Promise<boolean> {
  return promisify(execFile)(program, args).then(
    () => true,
    () => false,
  );
}
