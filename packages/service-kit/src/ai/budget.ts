import { isDuplicateKey } from '@muster/messaging';
import type { Ctx } from '../context.ts';
import { trusted } from '../mongo/repository.ts';
import { aiBudgets } from './calls.ts';

/** Tokens to be spent, as `@muster/ai` asks for them. */
export interface Budget {
  /** Sets tokens aside; false when there are not enough left. */
  reserve(wanted: number): Promise<boolean>;
  /** Gives back what a call did not take of them. */
  spent(used: number, reserved: number): Promise<void>;
}

/**
 * What an organization may still spend in this service in the calendar month (UTC) of `now`, kept in the database so
 * that it holds for all processes. What a process that dies had set aside stays spent.
 */
export function monthlyBudget(ctx: Ctx, tokens: number, now: Date): Budget {
  const _id = `${ctx.org}.${now.toISOString().slice(0, 7)}`;
  const add = (amount: number) => ({ $inc: { tokens: amount } });
  return {
    async reserve(wanted) {
      if (wanted > tokens) return false;
      await opened(ctx, _id);
      return await aiBudgets(ctx).updateOne({ _id, tokens: trusted({ $lte: tokens - wanted }) }, add(wanted));
    },
    async spent(used, reserved) {
      await aiBudgets(ctx).updateOne({ _id }, add(used - reserved));
    },
  };
}

async function opened(ctx: Ctx, _id: string): Promise<void> {
  try {
    await aiBudgets(ctx).updateOne({ _id }, { $setOnInsert: { tokens: 0 } }, { upsert: true });
  } catch (error) {
    // Two that open the same month at once: one of them is enough.
    if (!isDuplicateKey(error)) throw error;
  }
}
