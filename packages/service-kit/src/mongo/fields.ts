import { Schema, type SchemaDefinition } from 'mongoose';

/** Any value: what it holds is checked by contracts, not by the store. */
export const { Mixed } = Schema.Types;

type Kind = 'required' | 'nullable' | 'optional' | 'list';

/** How one field is stored; `Value` is what a row holds there. */
export interface Field<Value = unknown, K extends Kind = Kind> {
  kind: K;
  definition: SchemaDefinition[string];
  readonly value?: Value;
}

export type Fields = Record<string, Field>;

type Present<F extends Fields> = {
  [Name in keyof F as F[Name]['kind'] extends 'optional' ? never : Name]: ValueOf<F[Name]>;
};
type Absent<F extends Fields> = {
  [Name in keyof F as F[Name]['kind'] extends 'optional' ? Name : never]?: ValueOf<F[Name]>;
};
type ValueOf<F> =
  F extends Field<infer Value, infer K>
    ? { required: Value; nullable: Value | null; optional: Value; list: Value[] }[K]
    : never;
type Flat<T> = { [Name in keyof T]: T[Name] };

/** What a row with these fields holds beside its ids. */
export type Values<F extends Fields> = Flat<Present<F> & Absent<F>>;

/** The value follows from the type, or is named where it is narrower: `required<Role>(String)`, `list<Step>(Mixed)`. */
interface Declaring<K extends Kind> {
  (type: StringConstructor): Field<string, K>;
  (type: NumberConstructor): Field<number, K>;
  (type: BooleanConstructor): Field<boolean, K>;
  (type: DateConstructor): Field<Date, K>;
  <Value>(type: StringConstructor | NumberConstructor | BooleanConstructor | typeof Mixed): Field<Value, K>;
}

function declaring<K extends Kind>(kind: K, define: (type: unknown) => unknown): Declaring<K> {
  return (type: unknown): Field<never, K> => ({ kind, definition: define(type) as Field['definition'] });
}

/** Always there; a text is not empty: see {@link text}. */
export const required = declaring('required', (type) => ({ type, required: true }));

/** There, and null until it is known. */
export const nullable = declaring('nullable', (type) => ({ type, default: null }));

/** Not always there. */
export const optional = declaring('optional', (type) => ({ type }));

/** Any number of values, none to begin with. */
export const list = declaring('list', (type) => [type]);

/** A text that may be empty. */
export const text = (): Field<string, 'required'> => ({ kind: 'required', definition: { type: String } });

/** A text that is kept, and looked for, in small letters. */
export const lowercase = (): Field<string, 'required'> => ({
  kind: 'required',
  definition: { type: String, required: true, lowercase: true },
});
