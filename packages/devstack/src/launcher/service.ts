import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { whenReady } from '../engines/readiness.ts';
import { spawnChild } from '../processes/child.ts';
import { type Supervised, supervise } from '../processes/supervisor.ts';
import { warnings } from './warnings.ts';

const ALIVE_MS = 10_000;

/** A program of the product that the launcher runs. */
export interface Service {
  name: string;
  /** Its main file. */
  main: string;
  port: number;
  /** Path that answers 200 when it is ready. */
  readyPath: string;
  /** Path that its event loop answers as long as it turns. */
  livePath: string;
  /** Its variables, added to the launcher's own; an undefined one it does not get, wherever it is set. */
  env: Record<string, string | undefined>;
}

/** Names of the services of a checkout: the folders in `services/` that have a main file. */
export function serviceNames(root: string): string[] {
  const folder = join(root, 'services');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => existsSync(join(folder, name, 'src', 'main.ts'))).sort();
}

/**
 * Makes a service that is kept running; its log lines go to `<logDir>/<name>.log`, warnings in short to `report`.
 * @param root the checkout, the service's working directory
 */
export function supervisedService(
  service: Service,
  root: string,
  logDir: string,
  report: (line: string) => void,
): Supervised {
  const { name, main, port, readyPath, livePath, env } = service;
  const address = `http://127.0.0.1:${port}`;
  const logFile = join(logDir, `${name}.log`);
  const onLine = warnings(name, logFile, report);
  return supervise({
    name,
    report,
    pulse: { answers: alive(address + livePath) },
    launch: () => {
      const options = { command: process.execPath, args: [main], cwd: root, env: { ...process.env, ...env } };
      const child = spawnChild({ name, logFile, onLine, ...options });
      return whenReady(child, () => isReady(address + readyPath), 60_000, logFile);
    },
  });
}

/** Makes what asks whether a program's loop turns; one that a debugger holds counts as alive. */
function alive(url: string): () => Promise<void> {
  let held = false;
  return async () => {
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(ALIVE_MS) });
      held = ((await answer.json()) as { debugger?: boolean }).debugger === true;
    } catch (error) {
      if (!held) throw error;
    }
  };
}

async function isReady(url: string): Promise<void> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  await answer.body?.cancel();
  if (answer.status === 200) return;
  // It is up and waits for something: asking ten times a second would only slow that down.
  await sleep(200);
  throw new Error(`${url} answers ${answer.status}`);
}
