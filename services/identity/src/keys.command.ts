import { environment, startService } from '@muster/service-kit';
import type { IdentityCtx } from './config.ts';
import { keysContext } from './keys/key.jobs.ts';
import type { SigningKeyDoc } from './keys/key.model.ts';
import { publishedKeys, rotateKeys } from './keys/key.service.ts';
import { identity } from './service.ts';

const COMMANDS: Record<string, (ctx: IdentityCtx) => Promise<string>> = {
  async list(ctx) {
    return (await publishedKeys(ctx)).map(line).join('\n');
  },
  async rotate(ctx) {
    const { active, retired, next } = await rotateKeys(ctx, new Date());
    return [
      `${active} signs from now on.`,
      `${retired} only verifies: tokens it signed stay valid until they expire.`,
      `${next} is published and signs after the next rotation.`,
    ].join('\n');
  },
};

function line({ _id, state, created_at, activated_at, keep_until }: SigningKeyDoc): string {
  const since = `made ${created_at.toISOString()}`;
  const signs = activated_at ? `, signing since ${activated_at.toISOString()}` : '';
  const kept = keep_until ? `, kept until ${keep_until.toISOString()}` : '';
  return `${_id}  ${state.padEnd(7)}  ${since}${signs}${kept}`;
}

/** Runs one command on the signing keys of the environment's deployment, beside the replicas that serve it. */
async function main(name = ''): Promise<void> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new Error(`say what to do: npm run keys -- ${Object.keys(COMMANDS).join(' | ')}`);
  const env = { ...environment(), SERVICE_PORT: '0', ROLE: 'api', LOG_LEVEL: 'error' };
  const running = await startService(identity, env);
  try {
    process.stdout.write(`${await command(keysContext(running.runtime))}\n`);
  } finally {
    await running.stop();
  }
}

await main(process.argv[2]).catch((error: unknown) => {
  process.stderr.write(`keys: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
