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

/** Whether the product runs for development or as in production, MUSTER_MODE. */
export function musterMode(): string {
  return process.env.MUSTER_MODE || 'development';
}

/**
 * The origin by which browsers reach the product: PUBLIC_ORIGIN, or the gateway itself.
 * @throws Error when it is not a URL
 */
export function publicOrigin(musterPort: number): string {
  const given = process.env.PUBLIC_ORIGIN || `http://127.0.0.1:${musterPort}`;
  if (URL.canParse(given)) return new URL(given).origin;
  throw new Error(`PUBLIC_ORIGIN must be such as https://muster.example.org, not "${given}"`);
}

/** Prints a line for people. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
