import type { draftsApi } from '@muster/contracts';
import { type Handlers, ok, queued } from '@muster/service-kit';
import { toDraft } from './draft.model.ts';
import { findDraft, listDrafts, startDraft } from './draft.service.ts';

export const draftHandlers: Handlers<typeof draftsApi> = {
  generateScenario: async (ctx, { params, body }) => queued(await startDraft(ctx, params.id, body)),
  listDrafts: async (ctx, { query }) => ok(await listDrafts(ctx, query)),
  getDraft: async (ctx, { params }) => ok(toDraft(await findDraft(ctx, params.id))),
};
