import { z } from 'zod';
import { queryInteger } from './primitives.ts';

/** The query fields that every list takes beside its own filters. */
export const page = {
  limit: queryInteger(1, 200).default(50).meta({ description: 'how many items at most' }),
  cursor: z.string().min(1).max(2000).optional().meta({ description: 'next_cursor of the page before' }),
};

/**
 * A field of a query that narrows an answer: optional, and without an example, since the interactive documents would send
 * it unasked.
 */
export function filter<Schema extends z.ZodType>(schema: Schema, description: string) {
  return schema.meta({ example: undefined }).optional().meta({ description });
}

/** The answer of every list; its example is a list of the item's. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z
    .object({ items: z.array(item), next_cursor: z.string().nullable(), total: z.int().min(0) })
    .meta({ example: { items: [item.meta()?.example], next_cursor: null, total: 1 } });
}

export interface List<Item> {
  items: Item[];
  next_cursor: string | null;
  total: number;
}
