import {
  type ClientSession,
  type Connection,
  type PipelineStage,
  type QueryFilter,
  trusted,
  type UpdateQuery,
} from 'mongoose';
import { type Collection, modelOn, SHARED_ORG, type Stored } from './model.ts';

export { trusted } from 'mongoose';

/** Where a repository reads and writes: an organization, a connection, and the transaction under way, if any. */
export interface Store {
  org: string;
  connection: Connection;
  session?: ClientSession;
}

export interface FindOptions {
  sort?: Record<string, 1 | -1>;
  skip?: number;
  limit?: number;
  projection?: Record<string, 0 | 1>;
  /** The keys of the index to walk along, where the filter alone would lead the engine to another. */
  hint?: Record<string, 1 | -1>;
}

/** Access to one collection, bound to one organization. Filters hold plain values; operators need {@link trusted}. */
export interface Repository<Doc extends Stored> {
  findOne(filter: QueryFilter<Doc>, options?: FindOptions): Promise<Doc | null>;
  find(filter: QueryFilter<Doc>, options?: FindOptions): Promise<Doc[]>;
  /** @param options.limit counts no further than this */
  count(filter: QueryFilter<Doc>, options?: Pick<FindOptions, 'limit' | 'hint'>): Promise<number>;
  aggregate<Row>(match: QueryFilter<Doc>, ...stages: PipelineStage[]): Promise<Row[]>;
  /** Raises the database's duplicate-key error (code 11000). */
  insert(document: Omit<Doc, 'org_id'>): Promise<Doc>;
  /** Raises the database's bulk write error (code 11000 for a duplicate); inserts all in one transaction, or none. */
  insertMany(documents: Omit<Doc, 'org_id'>[]): Promise<void>;
  /** True when a document matched. */
  updateOne(
    filter: QueryFilter<Doc>,
    update: UpdateQuery<Doc>,
    options?: { upsert?: boolean },
  ): Promise<boolean>;
  /** Several updates in one go, in order; each makes its document where none matches. Values are stored as they are. */
  upsertEach(updates: readonly { filter: QueryFilter<Doc>; update: UpdateQuery<Doc> }[]): Promise<void>;
  /** The document after the update, or null when none matched. */
  findOneAndUpdate(
    filter: QueryFilter<Doc>,
    update: UpdateQuery<Doc>,
    options?: { upsert?: boolean },
  ): Promise<Doc | null>;
  /**
   * Stores what a version says of one document, unless that version or a newer one is known: then nothing changes, so
   * that any order of deliveries, repeated or not, ends in the same document. One atomic operation on one `_id`. The
   * document is made when it is missing; forget it by marking, not by deleting: an older version would bring it back.
   * @param by the field that holds the version
   * @returns the document as it was before, null when there was none; undefined when nothing changed
   */
  keepNewer(row: Omit<Doc, 'org_id'>, by: Versioned<Doc>): Promise<Doc | null | undefined>;
  /** How many documents matched. */
  updateMany(filter: QueryFilter<Doc>, update: UpdateQuery<Doc>): Promise<number>;
  /** True when a document was deleted. */
  deleteOne(filter: QueryFilter<Doc>): Promise<boolean>;
  deleteMany(filter: QueryFilter<Doc>): Promise<number>;
}

/** The fields that may hold a version. */
type Versioned<Doc> = {
  [Name in keyof Doc]: number extends Doc[Name] ? Name : never;
}[keyof Doc] &
  string;

/** Gives the accessor of a collection: `sessions(ctx).findOne(…)`. */
export function repository<Doc extends Stored>(declared: Collection<Doc>) {
  return ({ store }: { store: Store }): Repository<Doc> => bind(declared, store);
}

function bind<Doc extends Stored>(declared: Collection<Doc>, store: Store): Repository<Doc> {
  const model = modelOn(store.connection, declared);
  const { org } = store;
  const options = store.session ? { session: store.session } : {};
  const owned = (filter: QueryFilter<Doc>) => ({ ...filter, org_id: org }) as QueryFilter<Doc>;
  const readable = (filter: QueryFilter<Doc>) =>
    declared.shared
      ? ({ ...filter, org_id: trusted({ $in: [org, SHARED_ORG] }) } as QueryFilter<Doc>)
      : owned(filter);

  return {
    async findOne(filter, find = {}) {
      return (await model
        .findOne(readable(filter), find.projection, { ...options, sort: find.sort })
        .lean()) as Doc | null;
    },
    async find(filter, find = {}) {
      const query = model.find(readable(filter), find.projection, {
        ...options,
        sort: find.sort,
        skip: find.skip,
        limit: find.limit,
        ...(find.hint && { hint: find.hint }),
      });
      return (await query.lean()) as Doc[];
    },
    async count(filter, { limit, hint } = {}) {
      return await model.countDocuments(readable(filter), {
        ...options,
        ...(limit && { limit }),
        ...(hint && { hint }),
      });
    },
    async aggregate<Row>(match: QueryFilter<Doc>, ...stages: PipelineStage[]) {
      const first = { $match: readable(match) } as PipelineStage;
      return (await model.aggregate([first, ...stages]).option(options)) as Row[];
    },
    async insert(document) {
      const whole = { ...document, org_id: org } as Doc;
      const created = new model(whole);
      await created.save(options);
      return whole;
    },
    async insertMany(documents) {
      if (documents.length === 0) return;
      const whole = documents.map((document) => ({ ...document, org_id: org }));
      await model.insertMany(whole, { ...options, lean: true, ordered: true });
    },
    async updateOne(filter, update, { upsert = false } = {}) {
      const done = await model.updateOne(owned(filter), update, { ...options, upsert });
      return done.matchedCount > 0 || done.upsertedCount > 0;
    },
    async upsertEach(updates) {
      if (updates.length === 0) return;
      const operations = updates.map(({ filter, update }) => ({
        updateOne: { filter: owned(filter), update, upsert: true },
      }));
      await model.collection.bulkWrite(operations as never, { ...options, ordered: true });
    },
    async findOneAndUpdate(filter, update, { upsert = false } = {}) {
      const query = model.findOneAndUpdate(owned(filter), update, {
        ...options,
        upsert,
        returnDocument: 'after',
      });
      return (await query.lean()) as Doc | null;
    },
    async keepNewer({ _id, ...row }, by) {
      const version = (row as Record<string, unknown>)[by] as number;
      const known = { $ifNull: [`$${by}`, null] };
      const isNews = { $or: [{ $eq: [known, null] }, { $lt: [known, version] }] };
      const merged = { $mergeObjects: ['$$ROOT', { $literal: row }] };
      const query = model.findOneAndUpdate(
        owned({ _id } as QueryFilter<Doc>),
        [{ $replaceWith: { $cond: [isNews, merged, '$$ROOT'] } }],
        { ...options, upsert: true, returnDocument: 'before', updatePipeline: true },
      );
      const before = (await query.lean()) as Doc | null;
      return before === null || isNewer({ seq: version }, before[by] as number | undefined)
        ? before
        : undefined;
    },
    async updateMany(filter, update) {
      return (await model.updateMany(owned(filter), update, options)).matchedCount;
    },
    async deleteOne(filter) {
      return (await model.deleteOne(owned(filter), options)).deletedCount > 0;
    },
    async deleteMany(filter) {
      return (await model.deleteMany(owned(filter), options)).deletedCount;
    },
  };
}

/** Whether an event is news for what is known: nothing is, or an older version. */
export function isNewer({ seq }: { seq: number }, known: number | null | undefined): boolean {
  return known === null || known === undefined || known < seq;
}
