import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Credentials } from './authentication.ts';
import { type Bridge, startBridge } from './bridge.ts';
import { clusterOf, initCluster, SOCKET, startPostgres } from './postgres.ts';
import { systemOr } from './programs.ts';
import { buildRootfs, rootfs } from './rootfs.ts';
import { prepareSchema } from './schema.ts';
import { connectSql } from './sql.ts';

const READY_MS = 60_000;
const STOP_MS = 10_000;
const HEALTHY_MS = 10_000;
const MAX_FAILURES = 10;

export interface ServerOptions {
  /** Where the data lives; made when missing. */
  dataDir: string;
  /** Where root directories are kept; MUSTER_CACHE or ~/.cache/muster otherwise. */
  cacheDir?: string;
  /** Who may use it. */
  credentials: Credentials;
  /** Port of the loopback to listen on; 0 for any that is free. */
  port: number;
  /** Receives lines for people. */
  log: (line: string) => void;
}

export interface RunningServer {
  /** Where clients reach it, without user and password. */
  uri: string;
  /** Resolves when the server ended: undefined after `stop`, else the reason. */
  ended: Promise<string | undefined>;
  /** Hangs up on all clients and stops the database in an orderly way. */
  stop(): Promise<void>;
}

/**
 * Runs database and bridge in this process, which it moves into the cluster's directory: a socket's path may
 * have no more than 107 bytes. A database that ends by itself is started again; clients wait for it meanwhile.
 * Raises an Error in one clear line when that is not possible.
 */
export async function runServer({
  dataDir,
  cacheDir,
  credentials,
  port,
  log,
}: ServerOptions): Promise<RunningServer> {
  const data = resolve(dataDir);
  await mkdir(data, { recursive: true });
  const made = await rootfs(cacheDir);
  const root = systemOr(made);
  if (root === made) await buildRootfs(made, log);
  await initCluster(root, data);
  let stopping = false;
  let child = await startPostgres(root, data, log);
  process.chdir(clusterOf(data));

  const watch = async (): Promise<string | undefined> => {
    for (let failures = 0; ; ) {
      const since = Date.now();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      if (stopping) return undefined;
      failures = Date.now() - since > HEALTHY_MS ? 1 : failures + 1;
      const how = child.signalCode ?? `exit code ${child.exitCode}`;
      if (failures >= MAX_FAILURES) return `the database ended ${failures} times in a row (${how})`;
      log(`mongodb: the database ended (${how}); starting it again`);
      await sleep(250 * failures);
      if (stopping) return undefined;
      child = await startPostgres(root, data, log);
    }
  };
  const stopDatabase = async (): Promise<void> => {
    stopping = true;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    const gone = once(child, 'exit');
    child.kill('SIGINT');
    await gone;
    clearTimeout(timer);
  };
  const ended = watch().catch((error: Error) => error.message);
  let bridge: Bridge;
  try {
    await Promise.race([whenReady(), ended.then((reason) => Promise.reject(new Error(reason)))]);
    bridge = await startBridge(SOCKET, port, credentials);
  } catch (error) {
    await stopDatabase();
    throw error;
  }
  return {
    uri: bridge.uri,
    ended,
    async stop() {
      stopping = true;
      bridge.close();
      await stopDatabase();
    },
  };
}

/** Waits until the database answers and has what the bridge needs. Raises what it says after 60 s. */
async function whenReady(): Promise<void> {
  const until = Date.now() + READY_MS;
  for (;;) {
    try {
      const sql = await connectSql(SOCKET);
      return await prepareSchema(sql).finally(() => sql.close());
    } catch (error) {
      if (Date.now() > until) throw new Error(`the database does not answer: ${(error as Error).message}`);
      await sleep(50);
    }
  }
}
