import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Ctx } from './context.ts';
import { nullable, required } from './mongo/fields.ts';
import { collection } from './mongo/model.ts';
import { repository } from './mongo/repository.ts';
import { type Work, work } from './work.ts';

const GATHER_MS = 1_000;
/** As good as for ever: what was ordered is ordered by nobody again. */
const ATTEMPTS = 10_000;
/** A run that takes longer has died with its process. */
const DONE_WITHIN_MS = 5 * 60_000;

/** What an organization has ordered of one kind of gathered work; `_id` is `<organization>.<kind>`. */
export const gatheringRows = collection({
  name: 'gatherings',
  fields: {
    /** Raised with every order, so that none slips by while the last ones are carried out. */
    arrived: required(Number),
    /** When the run that is under way was ordered. */
    ordered_at: nullable(Date),
  },
  indexes: [],
});
const gatherings = repository(gatheringRows);

const nothing = z.strictObject({});

export interface GatheredWork extends Work<typeof nothing> {
  /** Asks for a run, in the transaction under way. Reactions that order it should be ordered by organization. */
  order(ctx: Ctx): Promise<void>;
}

/**
 * Work that many events ask for, and that is done in one go for all that have come by then: a hundred in a row cost
 * about as much as one.
 * @param declaration.settle one step, in a transaction of its own that may run again; answers whether there may be more
 */
export function gatheredWork(declaration: {
  kind: string;
  settle: (ctx: Ctx) => Promise<boolean>;
}): GatheredWork {
  const { kind, settle } = declaration;
  const gathered = work({
    kind,
    payload: nothing,
    attempts: ATTEMPTS,
    run: async (ctx) => {
      for (let all = false; !all; ) {
        await sleep(GATHER_MS, undefined, { signal: ctx.signal });
        const arrived = await arrivedOf(ctx, kind);
        for (let more = true; more; ) {
          ctx.signal.throwIfAborted();
          more = await ctx.inTransaction(settle);
        }
        // Whoever has come since is counted in `arrived`: then this does not match, and there is more to do.
        all = arrived === undefined || (await ctx.inTransaction((inside) => finish(inside, kind, arrived)));
      }
      return null;
    },
  });
  return Object.assign(gathered, { order: (ctx: Ctx) => order(ctx, gathered) });
}

const rowOf = (ctx: Pick<Ctx, 'org'>, kind: string) => ({ _id: `${ctx.org}.${kind}` });

async function arrivedOf(ctx: Pick<Ctx, 'org' | 'store'>, kind: string): Promise<number | undefined> {
  return (await gatherings(ctx).findOne(rowOf(ctx, kind)))?.arrived;
}

async function finish(ctx: Pick<Ctx, 'org' | 'store'>, kind: string, arrived: number): Promise<boolean> {
  return await gatherings(ctx).updateOne({ ...rowOf(ctx, kind), arrived }, { $set: { ordered_at: null } });
}

async function order(ctx: Ctx, gathered: Work<typeof nothing>): Promise<void> {
  const row = rowOf(ctx, gathered.kind);
  const now = new Date();
  const known = await gatherings(ctx).findOneAndUpdate(row, { $inc: { arrived: 1 } }, { upsert: true });
  const since = known?.ordered_at?.getTime() ?? 0;
  if (now.getTime() - since < DONE_WITHIN_MS) return;
  await gatherings(ctx).updateOne(row, { $set: { ordered_at: now } });
  await ctx.enqueue(gathered, {});
}
