import { isNewer } from '@muster/messaging';
import type { Ctx } from '@muster/service-kit';
import { arrivals, settlings } from './gap.model.ts';

/** A settling that takes longer has died with its process. */
const SETTLED_WITHIN_MS = 5 * 60_000;

/**
 * Notes that a session was completed and orders that the gaps be settled: they change in one go for all the sessions
 * that have come by then, so that a burst of sessions costs no more than it must. An event that is known changes nothing.
 * @param kind the job that settles
 */
export async function noteArrival(
  ctx: Ctx,
  { seq, data }: { seq: number; data: { session_id: string; ended_at: string } },
  kind: string,
): Promise<void> {
  const _id = data.session_id;
  const known = await arrivals(ctx).findOne({ _id }, { projection: { seq: 1 } });
  if (!isNewer({ seq }, known?.seq)) return;
  const row = { seq, ended_at: new Date(data.ended_at), settled: false };
  await arrivals(ctx).updateOne({ _id }, { $set: row }, { upsert: true });
  await orderSettling(ctx, kind);
}

async function orderSettling(ctx: Ctx, kind: string): Promise<void> {
  const now = new Date();
  const settling = await settlings(ctx).findOneAndUpdate(
    { _id: ctx.org },
    { $inc: { arrived: 1 } },
    { upsert: true },
  );
  const since = settling?.ordered_at?.getTime() ?? 0;
  if (now.getTime() - since < SETTLED_WITHIN_MS) return;
  await settlings(ctx).updateOne({ _id: ctx.org }, { $set: { ordered_at: now } });
  await ctx.enqueue(kind, {});
}
