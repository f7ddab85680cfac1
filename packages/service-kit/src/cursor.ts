import { createHmac, timingSafeEqual } from 'node:crypto';
import type { List } from '@muster/contracts';
import { invalid } from './errors.ts';

/** Where a page ended: the sort key of its last item, and the list's total, counted once on the first page. */
export interface Position {
  after: string[];
  total: number;
}

/** Makes opaque, signed cursors. A cursor holds only for the organization, list and filters it was made for. */
export function cursors(secret: string) {
  const sign = (scope: string, body: string) =>
    createHmac('sha256', secret).update(`${scope}\n${body}`).digest('base64url');

  return {
    /** @param scope organization, list and filters, as one string */
    encode(scope: string, position: Position): string {
      const body = Buffer.from(JSON.stringify([position.after, position.total])).toString('base64url');
      return `${body}.${sign(scope, body)}`;
    },
    /** Raises a 422 for a cursor that was edited or belongs to another list. */
    decode(scope: string, cursor: string): Position {
      const [body = ''] = cursor.split('.', 1);
      // As text: several texts decode to the same bytes, and only one of them is what was handed out.
      const given = Buffer.from(cursor);
      const expected = Buffer.from(`${body}.${sign(scope, body)}`);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw invalidCursor();
      const [after, total] = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as [
        string[],
        number,
      ];
      return { after, total };
    },
  };
}
export type Cursors = ReturnType<typeof cursors>;

function invalidCursor() {
  return invalid([
    {
      path: '/cursor',
      code: 'invalid_cursor',
      in: 'query',
      message: 'This cursor was not made for this list: start again without one.',
    },
  ]);
}

/**
 * One page of a list, newest first by id (ids are UUIDv7).
 * @param list.read rows below an id (or from the top), at most `limit`
 * @param list.count called on the first page only; the total travels in the cursor
 */
export async function paginate<Doc extends { _id: string }, Item>(
  cursor: { codec: Cursors; scope: string; given: string | undefined; limit: number },
  list: {
    read: (below: string | undefined, limit: number) => Promise<Doc[]>;
    count: () => Promise<number>;
    item: (document: Doc) => Item;
  },
): Promise<List<Item>> {
  const position = cursor.given === undefined ? undefined : cursor.codec.decode(cursor.scope, cursor.given);
  const rows = await list.read(position?.after[0], cursor.limit + 1);
  const total = position?.total ?? (await list.count());
  const items = rows.slice(0, cursor.limit);
  const last = items.at(-1);
  const more = rows.length > cursor.limit && last !== undefined;
  return {
    items: items.map(list.item),
    next_cursor: more ? cursor.codec.encode(cursor.scope, { after: [last._id], total }) : null,
    total,
  };
}
