import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import type { EngineName } from './engine.ts';
import { onPath, output } from './programs.ts';
import type { Findings } from './ways.rules.ts';

const run = promisify(execFile);
const FIRST_ANSWER_MS = 6_000;
const SILENCE_MS = 180_000;

/** The part of docker-compose.yml that says what an engine's container is. */
export interface ComposeService {
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  healthcheck: { test: string[] };
}

/** Path of the compose file of a checkout. */
export function composeFile(root: string): string {
  return join(root, 'docker-compose.yml');
}

/**
 * Reads an engine's container from docker-compose.yml, the one place that names images.
 * @param variables what stands for `${NAME}` in it
 */
export function composeService(
  root: string,
  engine: EngineName,
  variables: Partial<Record<string, string>> = {},
): ComposeService {
  const file: { services: Record<string, unknown> } = parse(readFileSync(composeFile(root), 'utf8'));
  const service = file.services[engine];
  if (service === undefined) throw new Error(`docker-compose.yml has no service ${engine}`);
  return JSON.parse(JSON.stringify(service), (_key, value) =>
    typeof value === 'string' ? interpolated(value, variables) : value,
  );
}

/** Compose's `${NAME}`, `${NAME:-default}`, `${NAME:?message}` and `$$`. */
function interpolated(text: string, variables: Partial<Record<string, string>>): string {
  return text.replace(/\$\$|\$\{(\w+)(?::(-|\?)([^{}]*))?\}/g, (whole, name, kind, rest) => {
    if (whole === '$$') return '$';
    return variables[name] ?? (kind === '-' ? rest : '');
  });
}

/** The compose project of a checkout: two checkouts have two. */
export function composeProject(root: string): string {
  return `muster-${createHash('sha256').update(root).digest('hex').slice(0, 8)}`;
}

/**
 * Looks for Docker: the program, a daemon that answers within 5 s, the compose plugin, the engine's image.
 * @param needsCompose whether a missing compose plugin matters
 */
export async function findDocker(
  root: string,
  engine: EngineName,
  needsCompose: boolean,
): Promise<Findings['docker']> {
  if (onPath('docker') === undefined) return { state: 'no program', detail: 'docker is not on PATH' };
  const version = await output('docker', ['version', '--format', '{{.Server.Version}}']);
  if (!version) return { state: 'no daemon', detail: 'docker is here, but no daemon answers' };
  if (needsCompose && (await output('docker', ['compose', 'version', '--short'])) === undefined) {
    return { state: 'no compose', detail: `Docker ${version} answers, but has no compose plugin` };
  }
  const { image } = composeService(root, engine);
  const present = (await output('docker', ['image', 'inspect', '--format', '{{.Id}}', image])) !== undefined;
  return { state: 'ready', detail: `Docker ${version} answers`, image: present ? image : undefined };
}

/**
 * Makes sure an image is there.
 * @throws Error when it is not and cannot be pulled: refused, no first answer within 6 s, or silent for 3 minutes
 */
export async function needImage(image: string, report: (line: string) => void): Promise<void> {
  if ((await output('docker', ['image', 'inspect', image])) !== undefined) return;
  report(`docker: pulling ${image}`);
  const pull = spawn('docker', ['pull', image], { stdio: ['ignore', 'pipe', 'pipe'] });
  const failure = await new Promise<string | undefined>((resolve) => watchPull(pull, resolve));
  if (failure !== undefined) throw new Error(`${image} cannot be pulled: ${failure}`);
}

function watchPull(pull: ChildProcess, end: (failure?: string) => void): void {
  let said = '';
  let timer = setTimeout(giveUp, FIRST_ANSWER_MS, 'the registry does not answer');
  function giveUp(failure: string): void {
    end(failure);
    pull.kill('SIGKILL');
  }
  pull.stdout?.on('data', () => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, SILENCE_MS, 'the pull has stalled');
  });
  pull.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  pull.once('error', (error) => giveUp(error.message));
  pull.once('exit', (code) => {
    clearTimeout(timer);
    end(code === 0 ? undefined : (said.trim().split('\n').at(-1) ?? `exit code ${code}`));
  });
}

/**
 * Runs a docker command.
 * @returns what it printed
 * @throws Error with the last line of what docker said
 */
export async function docker(args: string[], env: NodeJS.ProcessEnv = process.env): Promise<string> {
  try {
    return (await run('docker', args, { env })).stdout.trim();
  } catch (error) {
    const said = String((error as { stderr?: string }).stderr ?? '').trim();
    throw new Error(`docker ${args[0]}: ${said.split('\n').at(-1) || (error as Error).message}`);
  }
}
