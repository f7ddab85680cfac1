import { existsSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { ask } from '../control/control.ts';
import { ENGINES, type EngineName } from '../engines/engine.ts';
import { find } from '../engines/findings.ts';
import { readKeepers } from '../engines/keepers.ts';
import { cacheDir } from '../engines/mongod.download.ts';
import { stackStatus } from '../engines/stack.ts';
import { candidates } from '../engines/ways.rules.ts';
import { portIsFree, readPorts } from '../ports/ports.ts';
import { LOG_DIR, musterPort, ROOT, say } from './checkout.ts';
import { serviceNames } from './service.ts';

/** Says what `npm start` would do here and why; changes nothing. */
export async function doctor(): Promise<void> {
  await describeMachine();
  for (const engine of ENGINES) await describeEngine(engine);
  await describePorts();
}

async function describeMachine(): Promise<void> {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const { node } = process.versions;
  say(`Node ${node} (${process.execPath}), ${process.platform} ${process.arch}`);
  say(`${availableParallelism()} cores, ${memory} memory`);
  say(`Checkout  ${ROOT}`);
  say(`Logs      ${LOG_DIR}`);
  say(`Cache     ${cacheDir()}${existsSync(cacheDir()) ? '' : ' (not there yet)'}`);
  say(`Services  ${serviceNames(ROOT).join(', ') || 'none'}`);
  const product = await ask<{ url: string; pid: number }>(ROOT, 'start');
  say(`Running   ${product ? `${product.url} (process ${product.pid})` : 'nothing of this checkout'}`);
}

async function describeEngine(engine: EngineName): Promise<void> {
  const status = await stackStatus(ROOT);
  const stack = status?.holder === 'stack' && status.ready ? status : undefined;
  const keeper = readKeepers(join(ROOT, '.muster', 'start'))[engine];
  const running = stack?.engines.find(({ name }) => name === engine)?.uri;
  const ways = candidates(engine, await find(engine, ROOT, 'start', { keeper, stack: running }));
  const first = ways.find(({ possible }) => possible);
  say(`\n${engine}`);
  for (const way of ways) {
    const mark = way === first ? '>' : way.possible ? '+' : '-';
    say(`  ${mark} ${way.way.padEnd(10)} ${way.reason}`);
  }
  if (first === undefined) say(`  No way works: set the URL, start Docker, or install ${engine}`);
}

async function describePorts(): Promise<void> {
  say('\nPorts (> is the way npm start takes, + comes after it, - cannot be taken)');
  const port = musterPort();
  say(`  ${String(port).padEnd(6)} gateway, ${(await portIsFree(port)) ? 'free' : 'taken'} (MUSTER_PORT)`);
  for (const file of ['ports.json', 'service-ports.json']) {
    for (const [name, number] of Object.entries(readPorts(join(ROOT, '.muster', file)))) {
      say(`  ${String(number).padEnd(6)} ${name}, ${(await portIsFree(number)) ? 'free' : 'in use'}`);
    }
  }
}
