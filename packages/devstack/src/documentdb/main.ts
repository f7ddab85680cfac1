import { fstatSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runServer } from './server.ts';

/**
 * Runs the engine as a process: `main.ts --data DIR [--port N] [--cache DIR]`, for the user that DOCUMENTDB_USER and
 * DOCUMENTDB_PASSWORD name. Prints one JSON line with its URI, without these, when it answers; other lines go to standard error. It ends on SIGTERM or SIGINT, and when a pipe at its
 * standard input closes, which is how it learns that its parent is gone.
 */
const OPTIONS = {
  data: { type: 'string' },
  port: { type: 'string', default: '0' },
  cache: { type: 'string' },
} as const;

const log = (line: string): void => console.error(line);

try {
  const { values } = parseArgs({ options: OPTIONS });
  if (!values.data) throw new Error('usage: main.ts --data DIR [--port N] [--cache DIR]');
  const { DOCUMENTDB_USER: user, DOCUMENTDB_PASSWORD: password } = process.env;
  if (!user || !password) throw new Error('DOCUMENTDB_USER and DOCUMENTDB_PASSWORD must say who may use it');
  const port = Number(values.port);
  const server = await runServer({
    dataDir: values.data,
    cacheDir: values.cache,
    credentials: { user, password },
    port,
    log,
  });
  const stop = (): void => void server.stop();
  process.once('SIGTERM', stop).once('SIGINT', stop);
  if (isPipe(0)) process.stdin.once('close', stop).on('error', stop).resume();
  console.log(JSON.stringify({ uri: server.uri }));
  const reason = await server.ended;
  if (reason) throw new Error(reason);
  process.exit(0);
} catch (error) {
  log(`mongodb: ${(error as Error).message}`);
  process.exit(1);
}

function isPipe(descriptor: number): boolean {
  const stat = fstatSync(descriptor);
  return stat.isFIFO() || stat.isSocket();
}
