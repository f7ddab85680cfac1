import { ask, type Claim, claim } from '../control/control.ts';
import { ENGINES, type Engine, type EngineName, type Way } from './engine.ts';

/** What the holder of a checkout's engines says about them. */
export interface StackStatus {
  /** `stack` when they run alone, `start` when they belong to a running `npm start`. */
  holder: 'start' | 'stack';
  pid: number;
  ready: boolean;
  engines: { name: EngineName; way: Way; detail: string; uri: string; managementUrl?: string }[];
}

/** Asks for the engines of this checkout that hold their data in `.muster/start`; undefined when none run. */
export function stackStatus(root: string): Promise<StackStatus | undefined> {
  return ask<StackStatus>(root, 'stack');
}

/** Asks a stack that runs alone to stop. */
export async function stopStack(root: string): Promise<void> {
  await ask(root, 'stack', 'stop');
}

/**
 * Holds the checkout's kept engines: no second process may use their data.
 * @param engines those that are up, filled as they come
 * @param onStop what to do when someone asks the stack to stop; undefined where it belongs to `npm start`
 * @throws Error when another process holds them
 */
export async function holdStack(root: string, engines: Engine[], onStop?: () => void): Promise<Claim> {
  const status = (): StackStatus => ({
    holder: onStop === undefined ? 'start' : 'stack',
    pid: process.pid,
    ready: engines.length === ENGINES.length,
    engines: engines.map(({ name, way, detail, uri, managementUrl }) => ({
      name,
      way,
      detail,
      uri,
      managementUrl,
    })),
  });
  const held = await claim(root, 'stack', { status, act: (action) => act(action, engines, onStop) });
  if (held !== undefined) return held;
  const other = await stackStatus(root);
  throw new Error(
    `The engines of this checkout are held by another process (pid ${other?.pid}); wait or stop it`,
  );
}

/** The engines of a stack of this checkout that runs alone and is ready, ready to be used by others. */
export async function runningStack(root: string): Promise<Engine[] | undefined> {
  const status = await stackStatus(root);
  if (status?.holder !== 'stack' || !status.ready) return undefined;
  return status.engines.map((engine) => ({
    ...engine,
    stop: () => ask(root, 'stack', `${engine.name}/stop`).then(() => {}),
    start: () => ask(root, 'stack', `${engine.name}/start`).then(() => {}),
    kill: () => void ask(root, 'stack', `${engine.name}/kill`).catch(() => {}),
  }));
}

async function act(action: string, engines: Engine[], onStop?: () => void): Promise<void> {
  if (action === 'stop') {
    if (onStop === undefined)
      throw new Error('The engines belong to a running npm start: end that with Ctrl-C');
    return onStop();
  }
  const [name, what] = action.split('/');
  const engine = engines.find((candidate) => candidate.name === name);
  if (engine === undefined) throw new Error(`No engine ${name} runs here`);
  if (what === 'stop' || what === 'start') return engine[what]();
  if (what === 'kill') return engine.kill();
  throw new Error(`Unknown action ${action}`);
}
