import { spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEngines } from '../engines/engines.ts';
import { VARIABLES } from '../engines/findings.ts';
import { type StackStatus, stackStatus, stopStack } from '../engines/stack.ts';
import { homeOf } from '../home/home.ts';
import { LOG_DIR, ROOT, say } from './checkout.ts';
import { ending, endNow } from './ending.ts';

const NONE = 'No engines of this checkout run: npm run stack -- up';
const LOG_FILE = join(LOG_DIR, 'stack.log');

/**
 * Runs the engines alone, in the background, for whoever wants to start services by hand or tests faster.
 * @param action `up`, `down`, `status`, `env`, or `serve`, which is what `up` runs in the background
 * @throws Error saying what to do
 */
export async function stack(action = 'status'): Promise<void> {
  if (action === 'up') return up();
  if (action === 'down') return down();
  if (action === 'serve') return serve();
  if (action === 'status') return describe(await stackStatus(ROOT));
  if (action === 'env') return variables(await stackStatus(ROOT));
  throw new Error('Usage: npm run stack -- <up|down|status|env>');
}

async function up(): Promise<void> {
  const running = await stackStatus(ROOT);
  if (running !== undefined) return describe(running);
  homeOf(ROOT);
  mkdirSync(LOG_DIR, { recursive: true });
  const log = openSync(LOG_FILE, 'w');
  const main = process.argv[1] ?? '';
  const server = spawn(process.execPath, [main, 'stack', 'serve'], {
    detached: true,
    stdio: ['ignore', log, log],
  });
  let code: number | null | undefined;
  server.once('exit', (status) => {
    code = status;
  });
  server.unref();
  let shown = 0;
  for (;;) {
    const lines = readFileSync(LOG_FILE, 'utf8').split('\n').slice(0, -1);
    for (const line of lines.slice(shown)) say(line);
    shown = lines.length;
    if (code !== undefined) throw new Error('The engines could not be started; see above');
    const status = await stackStatus(ROOT);
    if (status?.ready) return describe(status);
    await sleep(200);
  }
}

async function serve(): Promise<void> {
  let asked = () => {};
  const request = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const ended = ending();
  let ready = false;
  void ended.then(() => ready || endNow());
  const engines = await startEngines({
    root: ROOT,
    purpose: 'start',
    report: say,
    onStopRequest: () => asked(),
  });
  ready = true;
  const alive = setInterval(() => {}, 2 ** 30);
  await Promise.race([ended, request]);
  clearInterval(alive);
  await engines.stop();
}

async function down(): Promise<void> {
  if ((await stackStatus(ROOT)) === undefined) return say('No engines of this checkout run');
  await stopStack(ROOT);
  while ((await stackStatus(ROOT)) !== undefined) await sleep(200);
  say('The engines are down; their data is kept in .muster/start');
}

function describe(status: StackStatus | undefined): void {
  if (status === undefined) {
    say(NONE);
    return;
  }
  const whose = status.holder === 'start' ? 'with the running npm start' : 'as a stack';
  say(`The engines of this checkout run ${whose} (process ${status.pid})`);
  for (const { name, way, detail, uri, managementUrl } of status.engines) {
    say(`  ${name.padEnd(9)} ${shown(uri)}  ${detail} (${way})`);
    if (managementUrl !== undefined) say(`  ${''.padEnd(9)} ${shown(managementUrl)}  management`);
  }
  if (!process.stdout.isTTY) say('  With their passwords: npm run --silent stack -- env');
}

/** A URL as it may be shown: what is not a terminal may be a log, which keeps no password. */
function shown(url: string): string {
  return process.stdout.isTTY ? url : url.replace(/:[^:@/]+@/, ':***@');
}

/** Says the engines' variables for a shell, passwords included. */
function variables(status: StackStatus | undefined): void {
  if (status === undefined) throw new Error(NONE);
  for (const { name, uri, managementUrl } of status.engines) {
    say(`export ${VARIABLES[name]}='${uri}'`);
    if (managementUrl !== undefined) say(`export AMQP_MANAGEMENT_URL='${managementUrl}'`);
  }
}
