import { type Ctx, work } from '@muster/service-kit';
import { z } from 'zod';
import { PLAYBOOK_GENERATION, writePlaybook } from './playbook.service.ts';

/** Generates the next version of a session's playbook. */
export const playbookGeneration = work({
  kind: PLAYBOOK_GENERATION,
  payload: z.strictObject({ session_id: z.uuidv7() }),
  run: async (ctx: Ctx, { session_id }, { jobId }) => {
    await writePlaybook(ctx, session_id, jobId);
    return { href: `/api/playbooks/${session_id}` };
  },
});
