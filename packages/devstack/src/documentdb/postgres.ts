import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { programsFor } from './programs.ts';
import type { Rootfs } from './rootfs.ts';

/**
 * fsync and synchronous_commit stay on: what was acknowledged survives a power cut. Background workers are the
 * engine's: they build indexes and delete expired documents.
 */
const SETTINGS: Record<string, string> = {
  shared_preload_libraries: 'pg_cron,pg_documentdb_core,pg_documentdb,pg_documentdb_extended_rum',
  'cron.database_name': 'postgres',
  'cron.use_background_workers': 'on',
  'cron.log_run': 'off',
  'cron.log_statement': 'off',
  // Pages of a cursor can be fetched on any connection.
  'documentdb.useFileBasedPersistedCursors': 'on',
  'documentdb.defaultCursorExpiryTimeLimitSeconds': '600',
  // Counts are counted, not estimated.
  'documentdb.use_pg_stats_live_tuples_for_count': 'off',
  // Else building an index waits for all open transactions, also those on other collections.
  'documentdb.force_index_builds_blocking': 'on',
  // Of its two kinds of index the one that is walked in order, as MongoDB's are.
  'documentdb.alternate_index_handler_name': 'extended_rum',
  // It knows which of its fields hold arrays: else one is walked in order only from its beginning.
  'documentdb.enableIndexMetadataGlobalTracking': 'on',
  listen_addresses: '',
  port: '5432',
  dynamic_shared_memory_type: 'mmap',
  max_connections: '80',
  max_worker_processes: '16',
  shared_buffers: '256MB',
  fsync: 'on',
  synchronous_commit: 'on',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '512MB',
  checkpoint_timeout: '15min',
  wal_compression: 'lz4',
  // Concurrent upserts of one unique key deadlock in the engine; one of them is repeated at once.
  deadlock_timeout: '50ms',
  jit: 'off',
  log_min_messages: 'fatal',
  log_line_prefix: '',
};
const INITDB = ['-U', 'postgres', '--auth=trust', '--no-locale', '-E', 'UTF8', '--no-instructions'];
/** What it says of every start and stop. */
const USUAL =
  /the database system is|terminating (connection|background)|connection to client lost|^(DETAIL|HINT|CONTEXT|STATEMENT):/;
/** No process has this number. */
const NOBODY = 4_194_303;

/** The unix socket's name inside the cluster's directory. */
export const SOCKET = '.s.PGSQL.5432';

/** Where the database cluster is inside the data directory. */
export function clusterOf(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/**
 * Makes the database cluster when it is missing; what an interrupted attempt left is thrown away.
 * Raises an Error with initdb's words.
 */
export async function initCluster(rootfs: Rootfs, dataDir: string): Promise<void> {
  const cluster = clusterOf(dataDir);
  if (existsSync(join(cluster, 'PG_VERSION'))) return;
  const fresh = `${cluster}.new`;
  await rm(fresh, { recursive: true, force: true });
  const { seen, command, leave } = await programsFor(rootfs, fresh);
  const [program, ...args] = command('initdb', ['-D', seen, ...INITDB]);
  await promisify(execFile)(program, args).catch((error: { stderr?: string; message: string }) => {
    throw new Error(
      `the database could not be made: ${(error.stderr || error.message).trim().split('\n').at(-1)}`,
    );
  });
  leave();
  await rm(cluster, { recursive: true, force: true });
  await rename(fresh, cluster);
}

/**
 * Starts the server on an existing cluster; it answers some tenths of a second later, after a crash when it
 * has recovered. Raises an Error when another server has the cluster.
 * @param log receives its lines, which are few: fatal errors
 */
export async function startPostgres(
  rootfs: Rootfs,
  dataDir: string,
  log: (line: string) => void,
): Promise<ChildProcess> {
  const cluster = clusterOf(dataDir);
  await checkLock(cluster);
  const { seen, command, leave } = await programsFor(rootfs, cluster);
  const places = { unix_socket_directories: seen, 'documentdb.localhost_connection_string': `host=${seen}` };
  const settings = Object.entries({ ...SETTINGS, ...places }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const [program, ...args] = command('postgres', ['-D', seen, ...settings]);
  const tell = (line: string): void => {
    if (!USUAL.test(line)) log(`mongodb: ${line}`);
  };
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  child.once('exit', leave);
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', tell);
  return child;
}

/**
 * PostgreSQL takes the pid in a lock file for its owner's, whatever has that number now. So it is looked at
 * first: a server's working directory is its cluster, also seen from outside of its mounts.
 */
async function checkLock(cluster: string): Promise<void> {
  const lock = join(cluster, 'postmaster.pid');
  const lines = (await readFile(lock, 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  if (!pid || !existsSync(`/proc/${pid}`)) return;
  if (sameDirectory(`/proc/${pid}/cwd`, cluster)) {
    throw new Error(`the data in ${cluster} is in use by process ${pid}: stop it first`);
  }
  await writeFile(lock, [NOBODY, ...lines.slice(1)].join('\n'));
}

function sameDirectory(a: string, b: string): boolean {
  try {
    const [one, other] = [statSync(a), statSync(b)];
    return one.ino === other.ino && one.dev === other.dev;
  } catch {
    return false;
  }
}
