import { type Ctx, work } from '@muster/service-kit';
import { z } from 'zod';
import { completedSession } from '../ai/record.service.ts';
import { writePlaybook } from './playbook.service.ts';

/** Generates the next version of a session's playbook. */
export const playbookGeneration = work({
  kind: 'playbook-generation',
  payload: z.strictObject({ session_id: z.uuidv7() }),
  run: async (ctx, { session_id }, { jobId }) => {
    await writePlaybook(ctx, session_id, jobId);
    return { href: `/api/playbooks/${session_id}` };
  },
});

/** Leaves the playbook of a completed session to a job. @returns its id. Raises `not-found`, `in-progress` */
export async function startGeneration(ctx: Ctx, session_id: string): Promise<string> {
  await completedSession(ctx, session_id);
  return await ctx.enqueue(playbookGeneration, { session_id });
}
