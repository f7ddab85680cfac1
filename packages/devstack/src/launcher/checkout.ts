import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root directory of this checkout. */
export const ROOT = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/[/\\]$/, '');

/** Directory of this checkout's logs. */
export const LOG_DIR = join(ROOT, '.muster', 'log');

/**
 * The port people use, MUSTER_PORT.
 * @throws Error when it is not a port
 */
export function musterPort(): number {
  const given = process.env.MUSTER_PORT || '8080';
  const port = Number(given);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new Error(`MUSTER_PORT must be a port between 1 and 65535, not "${given}"`);
}

/** Prints a line for people. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
