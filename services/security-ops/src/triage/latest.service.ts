import type { Triage } from '@muster/contracts';
import { type Ctx, trusted } from '@muster/service-kit';
import { type TriageDoc, toTriage, triages } from './triage.model.ts';

/** The current triage of each group that has one, by the group's id. */
export async function latestTriages(
  ctx: Ctx,
  docs: readonly { group_id: string }[],
): Promise<Map<string, Triage>> {
  const ids = [...new Set(docs.map(({ group_id }) => group_id))];
  if (ids.length === 0) return new Map();
  const found = await triages(ctx).find({ group_id: trusted({ $in: ids }) }, { sort: { version: 1 } });
  return new Map(found.map((doc) => [doc.group_id, toTriage(doc, doc.event_id)]));
}

/** A group's current triage, or null. */
export async function latestTriage(ctx: Ctx, group_id: string): Promise<TriageDoc | null> {
  return await triages(ctx).findOne({ group_id }, { sort: { version: -1 } });
}
