import { type ScenarioWish, scenarioWish } from '@muster/contracts';
import { type Ctx, work } from '@muster/service-kit';
import { z } from 'zod';
import { findItem } from '../items/item.service.ts';
import { writeDraft } from './draft.service.ts';

/** Writes a scenario from an item. */
export const scenarioDrafting = work({
  kind: 'scenario-draft',
  payload: z.strictObject({ item_id: z.uuidv7(), wish: scenarioWish, created_by: z.string() }),
  run: async (ctx, request, { jobId }) => ({
    href: `/api/threat-intel-drafts/${await writeDraft(ctx, request, jobId)}/`,
  }),
});

/** Leaves writing a scenario to a job. @returns its id. Raises `not-found` */
export async function startDraft(ctx: Ctx, item_id: string, wish: ScenarioWish): Promise<string> {
  await findItem(ctx, item_id);
  return await ctx.enqueue(scenarioDrafting, { item_id, wish, created_by: ctx.actor.name });
}
