import { DAY_MS } from '@muster/contracts';
import type { Ctx } from '@muster/service-kit';
import { items, itemTexts } from './item.model.ts';
import { pagesOf } from './replay.service.ts';

/** Lets every item go so many days after it was last read or corrected. */
export async function keepFor(ctx: Ctx, days: number): Promise<void> {
  for await (const page of pagesOf(ctx, {})) {
    const moved = page
      .map(({ _id, updated_at, expires_at }) => ({
        _id,
        from: expires_at.getTime(),
        expires_at: new Date(updated_at.getTime() + days * DAY_MS),
      }))
      .filter(({ from, expires_at }) => from !== expires_at.getTime());
    await ctx.inTransaction(async (inside) => {
      for (const { _id, expires_at } of moved) {
        await items(inside).updateOne({ _id }, { $set: { expires_at } });
        await itemTexts(inside).updateOne({ _id }, { $set: { expires_at } });
      }
    });
  }
}
