import { say } from './launcher/checkout.ts';
import { doctor } from './launcher/doctor.command.ts';
import { keys } from './launcher/keys.command.ts';
import { parked } from './launcher/parked.command.ts';
import { stack } from './launcher/stack.command.ts';
import { start } from './launcher/start.command.ts';
import { reapNow } from './processes/reaper.ts';

const COMMANDS: Record<string, (...args: string[]) => Promise<void>> = { start, stack, doctor, keys, parked };

const [name = '', ...args] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;

try {
  if (command === undefined)
    throw new Error(
      'Usage: npm start, npm run stack -- <up|down|status|env>, npm run doctor, npm run keys -- <list|rotate|distrust|reseal>, npm run parked -- <list|replay|republish>',
    );
  await command(...args);
  process.exit();
} catch (error) {
  say((error as Error).message);
  await reapNow();
  process.exit(1);
}
