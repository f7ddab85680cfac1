import { type Ctx, trusted, type WorkProgress } from '@muster/service-kit';
import { type ItemDoc, itemProjection, items } from './item.model.ts';
import { announce } from './item.service.ts';

const PAGE = 100;

/** Tells every item of the organization as it is now, a page at a time. */
export async function announceAll(ctx: Ctx, progress: Pick<WorkProgress, 'report'>): Promise<void> {
  const total = await items(ctx).count({});
  let done = 0;
  for await (const page of pagesOf(ctx, {})) {
    await ctx.inTransaction(async (inside) => {
      for (const doc of page) await announce(inside, doc);
    });
    done += page.length;
    await progress.report(done, total, 'Telling what is known');
  }
}

/** Items that match, the oldest first, a page at a time; never more than one page is held. */
export async function* pagesOf(
  ctx: Ctx,
  filter: Parameters<ReturnType<typeof items>['find']>[0],
): AsyncGenerator<ItemDoc[]> {
  for (let after = ''; ; ) {
    ctx.signal.throwIfAborted();
    const page = await items(ctx).find(
      { ...filter, _id: trusted({ $gt: after }) },
      { sort: { _id: 1 }, limit: PAGE, projection: itemProjection },
    );
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last._id;
  }
}
