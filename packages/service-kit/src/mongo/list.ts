import type { List } from '@muster/contracts';
import { type QueryFilter, trusted } from 'mongoose';
import type { Ctx } from '../context.ts';
import { paginate } from '../cursor.ts';
import type { Stored } from './model.ts';
import type { FindOptions, Repository } from './repository.ts';

/**
 * One page of a collection, newest first, as a list endpoint answers it.
 * @param list.name what is listed: a cursor holds for this list with these filters only
 * @param list.query the caller's `limit` and `cursor`
 * Raises a 422 for a cursor that was edited or belongs elsewhere.
 */
export async function listPage<Doc extends Stored, Item>(
  ctx: Pick<Ctx, 'org' | 'cursors'>,
  rows: Repository<Doc>,
  list: {
    name: string;
    filter: QueryFilter<Doc>;
    query: { limit: number; cursor?: string | undefined };
    projection?: FindOptions['projection'];
    item: (document: Doc) => Item;
  },
): Promise<List<Item>> {
  const { name, filter, query, projection, item } = list;
  const scope = `${ctx.org} ${name} ${JSON.stringify(filter)}`;
  return await paginate(
    { codec: ctx.cursors, scope, given: query.cursor, limit: query.limit },
    {
      read: (below, limit) => {
        const page = below === undefined ? filter : { ...filter, _id: trusted({ $lt: below }) };
        return rows.find(page as QueryFilter<Doc>, { sort: { _id: -1 }, limit, projection });
      },
      count: () => rows.count(filter),
      item,
    },
  );
}
