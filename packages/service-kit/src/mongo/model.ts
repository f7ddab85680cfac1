import { type Connection, type IndexDefinition, type IndexOptions, type Model, Schema } from 'mongoose';
import type { Fields, Values } from './fields.ts';
import { refuseUnboundQueries } from './tenancy.ts';

/** What every stored document has. */
export interface Stored {
  _id: string;
  org_id: string;
}

/** A collection a service owns: its storage shape and its indexes. Nested values are checked by contracts, not here. */
export interface Collection<Doc extends Stored> {
  name: string;
  fields: Fields;
  indexes: readonly (readonly [IndexDefinition, IndexOptions?])[];
  /** Rows of {@link SHARED_ORG} are readable by everyone, such as the built-in scenarios. */
  shared?: boolean;
  readonly document?: Doc;
}

/** The owner of what every organization may read. */
export const SHARED_ORG = 'shared';

/** Declares a collection; every index but a TTL starts with `org_id`. */
export function collection<F extends Fields>(
  declaration: Omit<Collection<Stored>, 'document'> & { fields: F },
): Collection<Stored & Values<F>> {
  return declaration;
}

/** What a collection's documents hold, as its fields declare it. */
export type RowOf<C> = C extends Collection<infer Doc> ? Doc : never;

/** The mongoose model of a collection on a connection, compiled once. */
export function modelOn<Doc extends Stored>(connection: Connection, declared: Collection<Doc>): Model<Doc> {
  const known = connection.models[declared.name];
  if (known) return known as unknown as Model<Doc>;
  const own = Object.entries(declared.fields).map(([name, { definition }]) => [name, definition]);
  const schema = new Schema(
    {
      _id: { type: String, required: true },
      org_id: { type: String, required: true, immutable: true },
      ...Object.fromEntries(own),
    },
    { strict: 'throw', versionKey: false, minimize: false, collection: declared.name },
  );
  for (const [keys, options] of declared.indexes) schema.index(keys, options);
  refuseUnboundQueries(schema);
  return connection.model(declared.name, schema) as unknown as Model<Doc>;
}

/** Makes a collection and its indexes; raises when they are not there afterwards. */
export async function prepareCollection(connection: Connection, declared: Collection<Stored>): Promise<void> {
  const model = modelOn(connection, declared);
  await model.createCollection();
  await model.createIndexes();
  const present = new Set((await model.listIndexes()).map((index) => JSON.stringify(index.key)));
  const missing = declared.indexes.filter(([keys]) => !present.has(JSON.stringify(keys)));
  if (missing.length > 0) {
    throw new Error(
      `Collection ${declared.name} misses indexes: ${missing.map(([keys]) => JSON.stringify(keys)).join(', ')}`,
    );
  }
}
