import { type Ctx, trusted } from '@muster/service-kit';
import { stateOf } from '../events/batch.rules.ts';
import { type EventDoc, events } from '../events/event.model.ts';
import { count } from '../events/tally.service.ts';

const PAGE = 1_000;

/**
 * Moves new events of a group to triaged, in the transaction under way: a thousand at most.
 * @returns whether there may be more
 */
export async function markTriaged(ctx: Ctx, group_id: string): Promise<boolean> {
  const found = await events(ctx).find(
    { group_id, status: 'new' },
    { limit: PAGE, projection: { severity: 1, expires_at: 1 } },
  );
  if (found.length === 0) return false;
  const ids = trusted({ $in: found.map(({ _id }) => _id) });
  await events(ctx).updateMany(
    { _id: ids, status: 'new' },
    { $set: { status: 'triaged' }, $inc: { version: 1 } },
  );
  for (const [expiry, docs] of Map.groupBy(found, ({ expires_at }) => expires_at.getTime()))
    await count(ctx, new Date(expiry), moves(docs));
  return found.length === PAGE;
}

function moves(docs: readonly EventDoc[]): Map<string, number> {
  const changes = new Map<string, number>();
  const add = (state: string, by: number) => changes.set(state, (changes.get(state) ?? 0) + by);
  for (const { severity } of docs) {
    add(stateOf({ status: 'new', severity }), -1);
    add(stateOf({ status: 'triaged', severity }), 1);
  }
  return changes;
}
