import { type Ctx, work } from '@muster/service-kit';
import { z } from 'zod';
import { completedSession } from '../ai/record.service.ts';
import { writeEvaluation } from './evaluation.service.ts';

/** Evaluates a completed session. */
export const sessionEvaluation = work({
  kind: 'session-evaluation',
  payload: z.strictObject({ session_id: z.uuidv7() }),
  run: async (ctx, { session_id }, { jobId }) => {
    await writeEvaluation(ctx, session_id, jobId);
    return { href: `/api/sessions/${session_id}/evaluation/` };
  },
});

/** Leaves the evaluation of a completed session to a job. @returns its id. Raises `not-found`, `in-progress` */
export async function startEvaluation(ctx: Ctx, session_id: string): Promise<string> {
  await completedSession(ctx, session_id);
  return await ctx.enqueue(sessionEvaluation, { session_id });
}
