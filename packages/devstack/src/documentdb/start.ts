import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ServerOptions } from './server.ts';

export interface DocumentDbOptions extends Omit<ServerOptions, 'port'> {
  port?: number;
  /** Called when it ends without having been stopped, with the reason. */
  onExit?: (reason: string) => void;
}

export interface DocumentDb {
  /** With user and password. */
  uri: string;
  /** The process that bridges; the database is its child, in the same process group. */
  pid: number;
  /** Stops it in an orderly way; resolves when nothing of it runs any more. */
  stop(): Promise<void>;
}

/** How the engine is run as a process of its own; see main.ts. */
export interface DocumentDbProgram {
  command: string;
  args: string[];
  /** Others of this machine could read a password in the arguments. */
  env: NodeJS.ProcessEnv;
}

export function documentDbProgram(options: Omit<DocumentDbOptions, 'log' | 'onExit'>): DocumentDbProgram {
  const { dataDir, port = 0, cacheDir, credentials } = options;
  const program = fileURLToPath(new URL('./main.ts', import.meta.url));
  const cache = cacheDir ? ['--cache', cacheDir] : [];
  return {
    command: process.execPath,
    args: [program, '--data', dataDir, '--port', String(port), ...cache],
    env: {
      ...process.env,
      DOCUMENTDB_USER: credentials.user,
      DOCUMENTDB_PASSWORD: credentials.password,
    },
  };
}

/**
 * Starts the engine in a process of its own, which ends with this one. On the first start on a machine that makes
 * its root directory, too.
 * @throws Error in one line when it cannot run here
 */
export async function startDocumentDb(options: DocumentDbOptions): Promise<DocumentDb> {
  const { command, args, env } = documentDbProgram(options);
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  child.stdin.on('error', () => {});
  let last = 'it did not start';
  createInterface({ input: child.stderr }).on('line', (line) => {
    last = line;
    options.log(line);
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.done) throw new Error(last.replace(/^mongodb: /, ''));
  const uri = new URL((JSON.parse(first.value) as { uri: string }).uri);
  uri.username = encodeURIComponent(options.credentials.user);
  uri.password = encodeURIComponent(options.credentials.password);
  let stopped = false;
  child.once('exit', () => {
    if (!stopped) options.onExit?.(last);
  });
  return {
    uri: uri.href,
    pid: child.pid ?? 0,
    async stop() {
      stopped = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}
