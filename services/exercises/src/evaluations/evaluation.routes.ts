import type { evaluationsApi } from '@muster/contracts';
import { created, type Handlers, ok, queued } from '@muster/service-kit';
import { startEvaluation } from './evaluation.jobs.ts';
import { toEvaluation } from './evaluation.model.ts';
import { findEvaluation, storeExternal } from './evaluation.service.ts';

export const evaluationHandlers: Handlers<typeof evaluationsApi> = {
  evaluateSession: async (ctx, { params: { id }, body }) => {
    if (!body.evaluation) return queued(await startEvaluation(ctx, id));
    const stored = await storeExternal(ctx, id, body.evaluation);
    return created(toEvaluation(stored), `/api/sessions/${id}/evaluation/`);
  },
  getEvaluation: async (ctx, { params }) => ok(toEvaluation(await findEvaluation(ctx, params.id))),
};
