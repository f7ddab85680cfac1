import { type Ctx, work } from '@muster/service-kit';
import { z } from 'zod';
import { runTest, SETTINGS_TEST } from './test.service.ts';

const TIMEOUT_MS = 3 * 60_000;

/** Tries the AI or mail settings. */
export const settingsTesting = work({
  kind: SETTINGS_TEST,
  timeoutMs: TIMEOUT_MS,
  payload: z.strictObject({ id: z.uuidv7(), target: z.enum(['ai', 'mail']), user_id: z.string() }),
  run: async (ctx: Ctx, trial) => {
    await runTest(ctx, trial);
    return { href: `/api/settings/test/${trial.id}/` };
  },
});
