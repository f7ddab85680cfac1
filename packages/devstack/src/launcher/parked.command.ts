import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { startEngines } from '../engines/engines.ts';
import { musterPort, ROOT } from './checkout.ts';
import { productOf } from './variables.ts';

/** What a service's program answers when it has no message of an id. */
const NOT_HERE = 3;

/**
 * Lists or replays what services of this checkout gave up, whether the product runs or not.
 * @param args `list`, `replay` or `republish`, with `--service <name>` for one service, and an id for one message
 * @throws Error when the engines cannot be had, or there is no such service or message
 */
export async function parked(...args: string[]): Promise<void> {
  const { service, rest } = chosen(args);
  const engines = await startEngines({ root: ROOT, purpose: 'start', report: () => undefined });
  try {
    const { services } = await productOf(ROOT, musterPort(), engines);
    const asked = services.filter(({ name }) => service === undefined || name === service);
    if (asked.length === 0)
      throw new Error(`There is no service ${service}, but ${services.map(({ name }) => name).join(', ')}`);
    const program = join(ROOT, 'packages', 'service-kit', 'src', 'parked.command.ts');
    const ended = asked.map(({ name, env }) => {
      const options = { env: { ...process.env, ...env }, stdio: 'inherit' as const };
      return spawnSync(process.execPath, [program, name, ...rest], options).status ?? 1;
    });
    if (ended.every((status) => status === NOT_HERE)) throw new Error(`No message ${rest[1]} is parked`);
    process.exitCode = ended.find((status) => status !== 0 && status !== NOT_HERE) ?? 0;
  } finally {
    await engines.stop();
  }
}

function chosen(args: string[]): { service: string | undefined; rest: string[] } {
  const at = args.indexOf('--service');
  if (at === -1) return { service: undefined, rest: args };
  return { service: args[at + 1] ?? '', rest: args.toSpliced(at, 2) };
}
