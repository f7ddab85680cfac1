import type { Document, mongo } from 'mongoose';

/** What names the version of an aggregate: an event. */
export interface Versioned {
  seq: number;
}

/**
 * True when an event is news for what is stored: nothing is, or an older version.
 * @param stored the version the projection holds, `null` or absent for none
 */
export function isNewer(event: Versioned, stored: number | null | undefined): boolean {
  return stored === null || stored === undefined || stored < event.seq;
}

/**
 * Applies an event's update to one projected document unless a newer version, or this one, is there already: then
 * duplicates and late arrivals change nothing, and any order of deliveries ends in the same document.
 *
 * The document is made when it is missing. Remove by marking (`removed: true`), not by deleting: a late older event
 * would bring a deleted document back. Where events of two types, which may share a `seq`, feed one document, give
 * each type its own `field`.
 * @param collection a native collection, such as `tx.db.collection('x')` or a mongoose `Model.collection`
 * @param key names exactly one document, organization included
 * @param update an update with operators; the version is added to its `$set`
 * @param options.session the consumer's transaction, `tx.session`
 * @param options.field where the version is kept, default `seq`
 * @returns whether the event was applied
 */
export async function applyNewer<T extends Document | mongo.Document>(
  collection: Pick<mongo.Collection<T & mongo.Document>, 'updateOne' | 'findOne'>,
  key: Record<string, unknown>,
  event: Versioned,
  update: {
    $set?: Record<string, unknown>;
    $unset?: Record<string, ''>;
    $setOnInsert?: Record<string, unknown>;
  },
  options: { session: mongo.ClientSession; field?: string },
): Promise<boolean> {
  const { session, field = 'seq' } = options;
  const target = collection as unknown as mongo.Collection<mongo.Document>;
  const versioned = { ...update, $set: { ...update.$set, [field]: event.seq } };
  const older = await target.updateOne({ ...key, [field]: { $lt: event.seq } }, versioned, { session });
  if (older.matchedCount > 0) return true;
  const stored = await target.findOne(key, { session, projection: { [field]: 1 } });
  if (stored && !isNewer(event, stored[field] as number | undefined)) return false;
  await target.updateOne(key, versioned, { session, upsert: true });
  return true;
}
