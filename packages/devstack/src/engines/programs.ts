import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { RabbitPrograms } from './rabbitmq.ts';

const run = promisify(execFile);

export interface Program {
  path: string;
  version: string;
}

/**
 * Finds a program on PATH, or in a directory where system services usually are.
 * @param name without `.exe`
 */
export function onPath(name: string): string | undefined {
  const usual = process.platform === 'win32' ? [] : ['/usr/local/sbin', '/usr/sbin', '/opt/homebrew/sbin'];
  const directories = [...(process.env.PATH ?? '').split(delimiter), ...usual].filter((path) => path !== '');
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  return directories.map((directory) => join(directory, file)).find(isExecutable);
}

/** Finds redis-server; undefined when it is not there or cannot be run. */
export async function findRedis(): Promise<Program | undefined> {
  const path = onPath('redis-server');
  const version = path && (await output(path, ['--version']));
  if (!path || version === undefined) return undefined;
  return { path, version: `Redis ${/v=(\S+)/.exec(version)?.[1] ?? ''}`.trim() };
}

/** Finds mongod; undefined when it is not there or cannot be run. */
export async function findMongod(): Promise<Program | undefined> {
  const path = onPath('mongod');
  const version = path && (await mongodVersion(path));
  return path && version ? { path, version } : undefined;
}

/** Name and version of a mongod; undefined when it cannot be run, such as one made for another system. */
export async function mongodVersion(path: string): Promise<string | undefined> {
  const said = await output(path, ['--version']);
  return said === undefined ? undefined : `MongoDB ${/db version v(\S+)/.exec(said)?.[1] ?? ''}`.trim();
}

/** Finds rabbitmq-server and its epmd; undefined when one of the two is not there. */
export async function findRabbit(): Promise<(Program & RabbitPrograms) | undefined> {
  const server = ['/usr/lib/rabbitmq/bin/rabbitmq-server', onPath('rabbitmq-server')].find(
    // Debian's command on PATH insists on the system's own user; the one it wraps does not.
    (path) => path !== undefined && isExecutable(path),
  );
  const epmd = onPath('epmd') ?? (await besideErlang('epmd'));
  if (server === undefined || epmd === undefined) return undefined;
  const home = dirname(dirname(realpathSync(server)));
  const version =
    /rabbitmq[_-]server-(\d[\d.]*)/.exec(home)?.[1] ?? /\/(\d+\.\d+\.\d+)/.exec(home)?.[1] ?? '';
  return { path: server, version: `RabbitMQ ${version}`.trim(), server, epmd };
}

/** Runs a program and gives its output; undefined when it fails or takes longer than 5 s. */
export async function output(program: string, args: string[]): Promise<string | undefined> {
  return run(program, args, { timeout: 5_000 }).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
}

async function besideErlang(name: string): Promise<string | undefined> {
  const erl = onPath('erl');
  const root = erl && (await output(erl, ['-noshell', '-eval', 'io:format("~s",[code:root_dir()]),halt().']));
  return root ? [join(root, 'bin', name)].find(existsSync) : undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
