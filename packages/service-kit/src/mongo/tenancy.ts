import type { Aggregate, Query, Schema } from 'mongoose';

const QUERIES = [
  'countDocuments',
  'deleteMany',
  'deleteOne',
  'distinct',
  'find',
  'findOne',
  'findOneAndDelete',
  'findOneAndReplace',
  'findOneAndUpdate',
  'replaceOne',
  'updateMany',
  'updateOne',
] as const;

/** Fails closed: a query of a tenant collection without an organization is a programming error, not an empty answer. */
export function refuseUnboundQueries(schema: Schema): void {
  schema.pre([...QUERIES], function (this: Query<unknown, unknown>) {
    if (this.getFilter().org_id === undefined)
      throw new Error(`A query of ${this.model.modelName} names no organization`);
  });
  schema.pre('aggregate', function (this: Aggregate<unknown>) {
    const first = this.pipeline()[0] as { $match?: { org_id?: unknown } } | undefined;
    if (first?.$match?.org_id === undefined)
      throw new Error('An aggregation of a tenant collection must match org_id first');
  });
  schema.pre(['estimatedDocumentCount', 'bulkWrite'] as never, () => {
    throw new Error('Bulk and unfiltered calls go through a repository');
  });
}
