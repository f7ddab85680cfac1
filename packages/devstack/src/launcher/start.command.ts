import { ask, claim } from '../control/control.ts';
import { startEngines } from '../engines/engines.ts';
import { portIsFree } from '../ports/ports.ts';
import type { Supervised } from '../processes/supervisor.ts';
import { LOG_DIR, musterPort, ROOT, say } from './checkout.ts';
import { ending, endNow } from './ending.ts';
import { providersOf } from './providers.ts';
import { type Service, supervisedService } from './service.ts';
import { productOf } from './variables.ts';

/** Parts that start and stop together. */
type Stage = Supervised[];

interface Running {
  url: string;
  pid: number;
}

/**
 * Runs the product until it is told to end: engines and demo providers, then services, then the gateway; the other
 * way round at the end.
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
  const stages: Stage[] = [];
  const providers = await providersOf(ROOT, port);
  // They need no engine and come up beside them; a failure waits until the engines can be stopped.
  const beside = Promise.allSettled([bring(providers.programs, stages)]);
  const engines = await startEngines({ root: ROOT, purpose: 'start', report: say });
  try {
    raiseFirst(await beside);
    const { services, gateway } = await productOf(ROOT, port, engines, providers.variables);
    await bring(services, stages);
    await bring([gateway], stages);
    up = true;
    say(`Up in ${seconds(since)}; Ctrl-C ends it`);
    say(`Muster is ready: ${url}`);
    await ended;
    say('Ending: the gateway, the services, then what they stand on');
  } finally {
    for (const stage of stages.toReversed()) await Promise.all(stage.map((part) => part.stop()));
    await engines.stop();
  }
}

/** Starts programs side by side, as a stage. Raises the first failure once each is ready or has failed. */
async function bring(programs: Service[], stages: Stage[]): Promise<void> {
  const stage = programs.map((program) => supervisedService(program, ROOT, LOG_DIR, say));
  stages.push(stage);
  const start = async (part: Supervised) => {
    const since = Date.now();
    await part.start();
    say(`${part.name.padEnd(9)} ready (${seconds(since)})`);
  };
  raiseFirst(await Promise.allSettled(stage.map(start)));
}

function raiseFirst(outcomes: PromiseSettledResult<void>[]): void {
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
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
