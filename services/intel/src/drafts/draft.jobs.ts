import { scenarioWish } from '@muster/contracts';
import { type Ctx, work } from '@muster/service-kit';
import { z } from 'zod';
import { SCENARIO_DRAFT, writeDraft } from './draft.service.ts';

/** Writes a scenario from an item. */
export const scenarioDrafting = work({
  kind: SCENARIO_DRAFT,
  payload: z.strictObject({ item_id: z.uuidv7(), wish: scenarioWish, created_by: z.string() }),
  run: async (ctx: Ctx, request, { jobId }) => ({
    href: `/api/threat-intel-drafts/${await writeDraft(ctx, request, jobId)}/`,
  }),
});
