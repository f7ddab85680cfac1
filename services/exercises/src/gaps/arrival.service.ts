import { isNewer } from '@muster/messaging';
import type { Ctx } from '@muster/service-kit';
import { arrivals } from './gap.model.ts';

/**
 * Notes that a session was completed, for the gaps to be settled by it. An event that is known changes nothing.
 * @returns whether there is something to settle
 */
export async function noteArrival(
  ctx: Ctx,
  { seq, data }: { seq: number; data: { session_id: string; ended_at: string } },
): Promise<boolean> {
  const _id = data.session_id;
  const known = await arrivals(ctx).findOne({ _id }, { projection: { seq: 1 } });
  if (!isNewer({ seq }, known?.seq)) return false;
  const row = { seq, ended_at: new Date(data.ended_at), settled: false };
  await arrivals(ctx).updateOne({ _id }, { $set: row }, { upsert: true });
  return true;
}
