import { type Ctx, environment, SHARED_ORG, startService } from '@muster/service-kit';
import { config } from './config.ts';
import type { SigningKeyDoc } from './keys/key.model.ts';
import { distrustKey, publishedKeys, rotateKeys } from './keys/key.service.ts';
import { resealAll } from './keys/reseal.service.ts';
import { identity } from './service.ts';

interface Command {
  usage: string;
  run(ctx: Ctx, argument: string): Promise<string>;
}

const COMMANDS: Record<string, Command> = {
  list: {
    usage: 'list',
    run: async (ctx) => (await publishedKeys(ctx)).map(line).join('\n'),
  },
  rotate: {
    usage: 'rotate',
    async run(ctx) {
      const { active, retired, next } = await rotateKeys(ctx, new Date());
      return [
        `${active} signs from now on.`,
        `${retired} only verifies: tokens it signed stay valid until they expire.`,
        `${next} is published and signs after the next rotation.`,
      ].join('\n');
    },
  },
  distrust: {
    usage: 'distrust <key id>',
    async run(ctx, kid) {
      const { was, active } = await distrustKey(ctx, kid, new Date());
      return [
        `${kid} (${was}) is gone: what it signed is worth nothing anywhere within a minute or so.`,
        'People who are signed in stay so; API tokens that it signed must be made anew.',
        `${active} signs.`,
      ].join('\n');
    },
  },
  reseal: {
    usage: 'reseal',
    async run(ctx) {
      const { signingKeys, settings, organizations } = await resealAll(ctx);
      const [newest] = config(ctx).KEY_ENCRYPTION_KEY.keys();
      return [
        `Everything that is kept is under the key "${newest}" now:`,
        `${signingKeys} signing keys and the settings of ${settings} of ${organizations} organizations were not before.`,
        'Keep the older keys until the web sessions and invitations of today have ended.',
      ].join('\n');
    },
  },
};

function line({ _id, state, created_at, activated_at, keep_until }: SigningKeyDoc): string {
  const since = `made ${created_at.toISOString()}`;
  const signs = activated_at ? `, signing since ${activated_at.toISOString()}` : '';
  const kept = keep_until ? `, kept until ${keep_until.toISOString()}` : '';
  return `${_id}  ${state.padEnd(7)}  ${since}${signs}${kept}`;
}

/** Runs one command on the signing keys of the environment's deployment, beside the replicas that serve it. */
async function main(name = '', argument = ''): Promise<void> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command || (command.usage.includes('<') && argument === '')) {
    const usages = Object.values(COMMANDS).map(({ usage }) => usage);
    throw new Error(`say what to do: npm run keys -- ${usages.join(' | ')}`);
  }
  const env = { ...environment(), SERVICE_PORT: '0', ROLE: 'api', LOG_LEVEL: 'error' };
  const running = await startService({ ...identity, onStart: [] }, env);
  try {
    process.stdout.write(`${await command.run(running.forOrganization(SHARED_ORG), argument)}\n`);
  } finally {
    await running.stop();
  }
}

await main(process.argv[2], process.argv[3]).catch((error: unknown) => {
  process.stderr.write(`keys: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
