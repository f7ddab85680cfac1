import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';

// Below the range the system takes outgoing connections from, so that a remembered port stays free.
const FIRST_PORT = 21_000;
const LAST_PORT = 31_999;

/** Whether nobody listens on this TCP port of 127.0.0.1. */
export function portIsFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/**
 * Finds a free TCP port of 127.0.0.1.
 * @param taken ports not to give, though nobody listens on them yet
 * @throws Error when a thousand tries found none
 */
export async function freePort(taken: ReadonlySet<number> = new Set()): Promise<number> {
  for (let attempt = 0; attempt < 1000; attempt += 1) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT + 1));
    if (!taken.has(port) && (await portIsFree(port))) return port;
  }
  throw new Error(`No free port between ${FIRST_PORT} and ${LAST_PORT} on 127.0.0.1`);
}

/** Gives ports by name. */
export interface Ports {
  /** The port of this name: the one it had last time where that is free. */
  port(name: string): Promise<number>;
}

/**
 * Ports that are remembered from run to run.
 * @param file JSON file that maps names to ports; made when missing. Without it nothing is remembered.
 */
export function rememberedPorts(file?: string): Ports {
  const known: Record<string, number> = file === undefined ? {} : readPorts(file);
  const given = new Set<number>();
  let turn: Promise<unknown> = Promise.resolve();

  async function choose(name: string): Promise<number> {
    const before = known[name];
    const reusable = before !== undefined && !given.has(before) && (await portIsFree(before));
    const port = reusable ? before : await freePort(new Set([...given, ...Object.values(known)]));
    given.add(port);
    known[name] = port;
    if (file !== undefined && !reusable) writePorts(file, known);
    return port;
  }

  return {
    port(name) {
      // One after the other: two at once could be given the same port.
      const mine = turn.then(() => choose(name));
      turn = mine.catch(() => {});
      return mine;
    },
  };
}

/** The ports a file remembers, by name; none when it is not there. */
export function readPorts(file: string): Record<string, number> {
  try {
    const ports: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const entries = Object.entries(typeof ports === 'object' && ports !== null ? ports : {});
    return Object.fromEntries(entries.filter(([, port]) => Number.isInteger(port)));
  } catch {
    return {};
  }
}

function writePorts(file: string, ports: Record<string, number>): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(ports, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}
