import { ask, claim } from '../control/control.ts';
import { type Engines, startEngines } from '../engines/engines.ts';
import { portIsFree } from '../ports/ports.ts';
import type { Supervised } from '../processes/supervisor.ts';
import { LOG_DIR, musterPort, ROOT, say } from './checkout.ts';
import { ending, endNow } from './ending.ts';
import { type Service, supervisedService } from './service.ts';
import { productOf } from './variables.ts';

interface Running {
  url: string;
  pid: number;
}

/**
 * Runs the product until it is told to end: engines, then services, then the gateway; the other way round at the end.
 * @throws Error with what to do when it runs already, the port is taken, or a part does not come up
 */
export async function start(): Promise<void> {
  const port = musterPort();
  const url = `http://127.0.0.1:${port}`;
  const status = (): Running => ({ url, pid: process.pid });
  const claimed = await claim(ROOT, 'start', { status, act: async () => {} });
  if (claimed === undefined) throw new Error(await alreadyRuns());
  try {
    if (!(await portIsFree(port))) throw new Error(taken(port));
    await run(port, url);
  } finally {
    await claimed.release();
  }
}

async function run(port: number, url: string): Promise<void> {
  const since = Date.now();
  const ended = ending();
  let up = false;
  // Until everything is up there is nothing to stop in order.
  void ended.then(() => up || endNow());
  const engines = await startEngines({ root: ROOT, purpose: 'start', report: say });
  const parts: Supervised[] = [];
  try {
    await startProduct(port, engines, parts);
    up = true;
    say(`Up in ${seconds(since)}; Ctrl-C ends it`);
    say(`Muster is ready: ${url}`);
    await ended;
    say('Ending: the gateway, the services, then the engines');
  } finally {
    await stopProduct(parts, engines);
  }
}

async function startProduct(port: number, engines: Engines, parts: Supervised[]): Promise<void> {
  const { services, gateway } = await productOf(ROOT, port, engines);
  const bring = async (service: Service) => {
    const since = Date.now();
    const part = supervisedService(service, ROOT, LOG_DIR, say);
    parts.push(part);
    await part.start();
    say(`${service.name.padEnd(9)} ready (${seconds(since)})`);
  };
  const outcomes = await Promise.allSettled(services.map(bring));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  await bring(gateway);
}

async function stopProduct(parts: Supervised[], engines: Engines): Promise<void> {
  const [gateway, services] = [parts.filter(isGateway), parts.filter((part) => !isGateway(part))];
  await Promise.all(gateway.map((part) => part.stop()));
  await Promise.all(services.map((part) => part.stop()));
  await engines.stop();
}

function isGateway({ name }: Supervised): boolean {
  return name === 'gateway';
}

function taken(port: number): string {
  const other = `MUSTER_PORT=${port + 1} npm start`;
  return `Port ${port} is taken by another program: end that one, or choose another port, as in ${other}`;
}

async function alreadyRuns(): Promise<string> {
  const other = await ask<Running>(ROOT, 'start');
  return `Muster runs in this checkout already: ${other?.url} (process ${other?.pid}). End it there with Ctrl-C first`;
}

function seconds(since: number): string {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}
