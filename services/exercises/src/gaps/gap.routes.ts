import type { gapsApi } from '@muster/contracts';
import { type Handlers, ok } from '@muster/service-kit';
import { type GapDoc, toTrackedGap } from './gap.model.ts';
import { findGap, listGaps, summarizeGaps, updateGap } from './gap.service.ts';

const gapReply = (doc: GapDoc) => ok(toTrackedGap(doc, new Date()), { etag: String(doc.version) });

export const gapHandlers: Handlers<typeof gapsApi> = {
  listGaps: async (ctx, { query }) => ok(await listGaps(ctx, query)),
  summarizeGaps: async (ctx) => ok(await summarizeGaps(ctx)),
  getGap: async (ctx, { params }) => gapReply(await findGap(ctx, params.id)),
  updateGap: async (ctx, { params, body, requireMatch }) =>
    gapReply(await updateGap(ctx, params.id, body, requireMatch)),
};
