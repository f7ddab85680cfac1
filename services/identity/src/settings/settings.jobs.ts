import { type Ctx, work } from '@muster/service-kit';
import { v7 } from 'uuid';
import { z } from 'zod';
import { runTest, type Trial } from './test.service.ts';

const TIMEOUT_MS = 3 * 60_000;

/** Tries the AI or mail settings. */
export const settingsTesting = work({
  kind: 'settings-test',
  timeoutMs: TIMEOUT_MS,
  payload: z.strictObject({ id: z.uuidv7(), target: z.enum(['ai', 'mail']), user_id: z.string() }),
  run: async (ctx, trial) => {
    await runTest(ctx, trial);
    return { href: `/api/settings/test/${trial.id}/` };
  },
});

/** Starts a try of the settings as they are stored. @returns the job's id */
export async function startTest(ctx: Ctx, target: Trial['target']): Promise<string> {
  return await ctx.enqueue(settingsTesting, { id: v7(), target, user_id: ctx.actor.id });
}
