import { type Ctx, work } from '@muster/service-kit';
import { z } from 'zod';
import { SESSION_EVALUATION, writeEvaluation } from './evaluation.service.ts';

/** Evaluates a completed session. */
export const sessionEvaluation = work({
  kind: SESSION_EVALUATION,
  payload: z.strictObject({ session_id: z.uuidv7() }),
  run: async (ctx: Ctx, { session_id }, { jobId }) => {
    await writeEvaluation(ctx, session_id, jobId);
    return { href: `/api/sessions/${session_id}/evaluation/` };
  },
});
