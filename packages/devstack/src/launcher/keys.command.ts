import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { startEngines } from '../engines/engines.ts';
import { musterPort, ROOT } from './checkout.ts';
import { productOf } from './variables.ts';

/**
 * Runs identity's command for its signing keys on this checkout's data, whether the product runs or not.
 * @param args what identity's command takes, such as `list` or `distrust <key id>`
 * @throws Error when the engines cannot be had
 */
export async function keys(...args: string[]): Promise<void> {
  const engines = await startEngines({ root: ROOT, purpose: 'start', report: () => undefined });
  try {
    const { services } = await productOf(ROOT, musterPort(), engines);
    const identity = services.find(({ name }) => name === 'identity');
    const program = join(ROOT, 'services', 'identity', 'src', 'keys.command.ts');
    const env = { ...process.env, ...identity?.env };
    process.exitCode = spawnSync(process.execPath, [program, ...args], { env, stdio: 'inherit' }).status ?? 1;
  } finally {
    await engines.stop();
  }
}
