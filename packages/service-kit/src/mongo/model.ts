import {
  type Connection,
  type IndexDefinition,
  type IndexOptions,
  type Model,
  Schema,
  type SchemaDefinition,
} from 'mongoose';
import { refuseUnboundQueries } from './tenancy.ts';

export const { Mixed } = Schema.Types;

/** What every stored document has. */
export interface Stored {
  _id: string;
  org_id: string;
}

/** A collection a service owns: its storage shape and its indexes. Nested values are checked by contracts, not here. */
export interface Collection<Doc extends Stored> {
  name: string;
  fields: SchemaDefinition;
  indexes: readonly (readonly [IndexDefinition, IndexOptions?])[];
  /** Rows of {@link SHARED_ORG} are readable by everyone, such as the built-in scenarios. */
  shared?: boolean;
  readonly document?: Doc;
}

/** The owner of what every organization may read. */
export const SHARED_ORG = 'shared';

/** Declares a collection; every index but a TTL starts with `org_id`. */
export function collection<Doc extends Stored>(
  declaration: Omit<Collection<Doc>, 'document'>,
): Collection<Doc> {
  return declaration;
}

/** The mongoose model of a collection on a connection, compiled once. */
export function modelOn<Doc extends Stored>(connection: Connection, declared: Collection<Doc>): Model<Doc> {
  const known = connection.models[declared.name];
  if (known) return known as unknown as Model<Doc>;
  const schema = new Schema(
    {
      _id: { type: String, required: true },
      org_id: { type: String, required: true, immutable: true },
      ...declared.fields,
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
