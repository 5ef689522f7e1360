/** The types of a table's statements: what a column gives when it is read, takes in a condition, takes in a write. */
import type { Verb } from "../../catalog/table.js";

/**
 * What a builder knows of a table: written by `glove-gen`, or by hand beside a resource of one's own.
 * `C` is the union of its columns.
 */
export interface TableDefinition<C extends string = string> {
  /** Column → PostgreSQL type in any spelling: `text`, `bigint`, `timestamp with time zone`, `text[]`. */
  readonly columns: { readonly [K in C]: string };
  /** Required keys: `where` has to give them a value before the statement can run. */
  readonly keys?: readonly C[];
  /** Groups of alternatives: `where` has to name one column of each. */
  readonly keyAlternatives?: readonly (readonly C[])[];
  /** What can be done to the table; the builder has no other methods. */
  readonly verbs: readonly Verb[];
  /** Default: the search path finds it. */
  readonly schema?: string;
}

/** A row type, an insert type and a definition together: one type parameter of everything below. */
export interface TableTypes {
  readonly row: object;
  readonly insert: object;
  readonly definition: TableDefinition;
}

/** Names of the table's columns. */
export type ColumnOf<T extends TableTypes> = keyof T["row"] & string;

/** Names of its required keys. */
export type KeyOf<T extends TableTypes> = T["definition"]["keys"] extends readonly (infer K extends string)[]
  ? K
  : never;

/** Names out of the groups of alternatives that none of `Bound` satisfies. */
type OpenAlternative<
  T extends TableTypes,
  Bound extends string,
> = T["definition"]["keyAlternatives"] extends readonly (infer Group)[] ? Unbound<Group, Bound> : never;

/** The columns of a group (of each, for a union of groups) that has none in `Bound`. */
type Unbound<Group, Bound extends string> = Group extends readonly (infer C extends string)[]
  ? [Extract<C, Bound>] extends [never]
    ? C
    : never
  : never;

/** The keys that still have no value. */
export type MissingKey<T extends TableTypes, Bound extends string> =
  | Exclude<KeyOf<T>, Bound>
  | OpenAlternative<T, Bound>;

type TypeOf<T extends TableTypes, C extends string> = T["definition"]["columns"] extends infer D
  ? C extends keyof D
    ? D[C]
    : never
  : never;

/** Families of types that take the same operators. */
type Family<Type> = Type extends `${string}[]`
  ? "array"
  : Type extends "json" | "jsonb"
    ? "document"
    : Type extends "boolean" | "bool"
      ? "boolean"
      : Type extends `timestamp${string}`
        ? "timestamp"
        : Type extends
              | "text"
              | "name"
              | "citext"
              | `character${string}`
              | `varchar${string}`
              | `char${string}`
              | "bpchar"
          ? "text"
          : "ordered";

/** How a value of a row is read: dates are ISO texts, big integers numbers where they are exact and else their digits. */
type ReadPlain<V> = V extends Date ? string : V extends bigint ? number | string : V;

/** NULL where the row may be without a value; a key always has the one that the statement gave. */
export type ReadValue<T extends TableTypes, C extends ColumnOf<T>> =
  | ReadPlain<NonNullable<T["row"][C & keyof T["row"]]>>
  | (C extends KeyOf<T> ? never : NullIn<T["row"], C>);

type NullIn<Row, C> = C extends keyof Row
  ? // An optional property is NULL when the row is without it.
    object extends Pick<Row, C>
    ? null
    : null extends Row[C]
      ? null
      : undefined extends Row[C]
        ? null
        : never
  : never;

/** The rows of a selection. */
export type Selected<T extends TableTypes, C extends ColumnOf<T>> = { [K in C]: ReadValue<T, K> };

/** A value to compare a column with. */
type Comparable<T extends TableTypes, C extends ColumnOf<T>> = Accepted<
  NonNullable<T["row"][C & keyof T["row"]]>,
  Family<TypeOf<T, C>>
>;

type Accepted<V, F> = F extends "timestamp"
  ? string | Date
  : V extends bigint
    ? bigint | number | string
    : V extends number
      ? V | bigint
      : V;

type AnyOf<V> = V | readonly V[];

interface Equality<V> {
  readonly "="?: V;
  readonly "<>"?: V;
  readonly in?: readonly V[];
  readonly "not in"?: readonly V[];
}
interface Ordering<V> extends Equality<V> {
  readonly "<"?: V;
  readonly "<="?: V;
  readonly ">"?: V;
  readonly ">="?: V;
}
interface Pattern<V> extends Ordering<V> {
  readonly like?: string;
  readonly "not like"?: string;
  readonly ilike?: string;
  readonly "not ilike"?: string;
}
interface Containment<V> {
  readonly "@>"?: V;
}
interface ArrayComparison<V> extends Containment<V> {
  readonly "="?: V;
  readonly "<>"?: V;
}
interface NotNull {
  readonly "is not"?: null;
}

type Operators<V, F> = F extends "document"
  ? Containment<unknown> & NotNull
  : F extends "array"
    ? ArrayComparison<V> & NotNull
    : F extends "boolean"
      ? Equality<V> & NotNull
      : F extends "text"
        ? Pattern<V> & NotNull
        : Ordering<V> & NotNull;

/** What a condition on one column may be. A key takes values only: without one, the tool cannot be called. */
export type Condition<T extends TableTypes, C extends ColumnOf<T>> =
  C extends KeyOf<T>
    ? AnyOf<Comparable<T, C>>
    :
        | Plain<Comparable<T, C>, Family<TypeOf<T, C>>>
        | Operators<Comparable<T, C>, Family<TypeOf<T, C>>>
        | NullIn<T["row"], C>;

/** Documents and arrays have no plain form: `[…]` would be taken for a list of values. */
type Plain<V, F> = F extends "document" | "array" ? never : AnyOf<V>;

/** Every column's condition; `where` takes a part of it. */
export type Conditions<T extends TableTypes> = { readonly [C in ColumnOf<T>]: Condition<T, C> };

/** A value that is written to a column. NULL only where the row's schema has it: an optional property is left out instead. */
export type Written<T extends TableTypes, C extends ColumnOf<T>> =
  | Accepted<NonNullable<T["row"][C & keyof T["row"]]>, Family<TypeOf<T, C>>>
  | (null extends T["row"][C & keyof T["row"]] ? null : never);

/** What SET may say: any columns but the keys. */
export type Changes<T extends TableTypes> = { readonly [C in Exclude<ColumnOf<T>, KeyOf<T>>]?: Written<T, C> };

/** A row to insert, as the insert type has it, with dates and big numbers in the forms that are accepted. */
export type Inserted<T extends TableTypes> = {
  readonly [C in keyof T["insert"]]: C extends ColumnOf<T>
    ? Written<T, C> | Extract<T["insert"][C], undefined>
    : T["insert"][C];
};
