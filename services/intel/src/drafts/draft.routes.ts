import type { draftsApi } from '@muster/contracts';
import { type Handlers, ok, queued } from '@muster/service-kit';
import { startDraft } from './draft.jobs.ts';
import { toDraft } from './draft.model.ts';
import { findDraft, listDrafts } from './draft.service.ts';

export const draftHandlers: Handlers<typeof draftsApi> = {
  generateScenario: async (ctx, { params, body }) => queued(await startDraft(ctx, params.id, body)),
  listDrafts: async (ctx, { query }) => ok(await listDrafts(ctx, query)),
  getDraft: async (ctx, { params }) => ok(toDraft(await findDraft(ctx, params.id))),
};
