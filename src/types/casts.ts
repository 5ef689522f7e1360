/**
 * Casts: which exist, where they may be applied, and how a value is converted. The families' tables (`numberCasts`,
 * `textCasts`, …) mirror pg_cast; added here is what PostgreSQL does without an entry: through the text form from and to
 * string types, element by element for arrays, field by field for rows, and the modifier at the end (`varchar(3)`).
 * Source: PostgreSQL 15, 10.3–10.4, and CREATE CAST.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { dimensions, elements, lowerBounds, shapeArray } from "./array-shape.js";
import type { CastContext, CastEntry } from "./casts/entry.js";
import { modifierCoercion } from "./casts/modifiers.js";
import { numberCasts, sameValue } from "./casts/number-casts.js";
import { datetimeCasts } from "./datetime/casts.js";
import { operationsOf } from "./families.js";
import { jsonCasts } from "./json/casts.js";
import type { TypeContext } from "./operations.js";
import { textCasts } from "./text-casts.js";
import { type SqlType, types } from "./type.js";
import { RecordValue, type Value } from "./value.js";

export type { CastContext, CastEntry } from "./casts/entry.js";

/** How one type becomes another, and the strictest place in which that happens by itself. */
export interface CastPath {
  /** `relabel`: same value. `io`: through the text form. `array`: by `element`. `record`: by field. */
  readonly kind: "relabel" | "function" | "io" | "array" | "record";
  readonly context: CastContext;
  readonly entry?: CastEntry;
  readonly element?: CastPath;
}

const tables: readonly (readonly CastEntry[])[] = [numberCasts, textCasts, datetimeCasts, jsonCasts];

let index: Map<string, CastPath> | undefined;

/** pg_cast's "binary coercible" pairs, which PostgreSQL treats like the same type in places. */
const relabelled = new Set([
  "int4 oid",
  "int4 regproc",
  "int4 regclass",
  "int4 regtype",
  "oid int4",
  "oid regproc",
  "oid regclass",
  "oid regtype",
  "regproc oid",
  "regproc int4",
  "regclass oid",
  "regclass int4",
  "regtype oid",
  "regtype int4",
  "text bpchar",
  "text varchar",
  "varchar text",
  "varchar bpchar",
  "citext text",
  "citext varchar",
  "citext bpchar",
  "text citext",
  "varchar citext",
]);

function castIndex(): Map<string, CastPath> {
  if (index === undefined) {
    index = new Map();
    for (const table of tables) {
      for (const entry of table) {
        const key = `${entry.source} ${entry.target}`;
        index.set(key, { kind: relabelled.has(key) ? "relabel" : "function", context: entry.context, entry });
      }
    }
  }
  return index;
}

/** Every entry of the tables, for tests against pg_cast. */
export function castEntries(): readonly CastEntry[] {
  return tables.flat();
}

const identity: CastPath = { kind: "relabel", context: "implicit" };
const byRecord: CastPath = { kind: "record", context: "implicit" };
const ioAssignment: CastPath = { kind: "io", context: "assignment" };
const ioExplicit: CastPath = { kind: "io", context: "explicit" };

/** The way from one type to another, `undefined` when there is none. Modifiers play no part in it. */
export function findCast(source: SqlType, target: SqlType): CastPath | undefined {
  if (source === target) return identity;
  if (source === types.unknown) return { kind: "io", context: "implicit" };
  if (source.kind === "base" && target.kind === "base") {
    const known = castIndex().get(`${source.name} ${target.name}`);
    if (known !== undefined) return known;
  }
  if (source.kind === "record" && target.kind === "record") return recordCast(source, target);
  if (source.kind === "array" && target.kind === "array") {
    const element = findCast(source.element as SqlType, target.element as SqlType);
    return element && { kind: "array", context: element.context, element };
  }
  if (target.category === "S") return ioAssignment;
  if (source.category === "S") return ioExplicit;
  return undefined;
}

/** Any row is a record; a record becomes a row of known shape field by field; different named rows do not mix. */
function recordCast(source: SqlType, target: SqlType): CastPath | undefined {
  if (target.category === "P") return identity;
  if (source.category === "P") return byRecord;
  return undefined;
}

const rank: Readonly<Record<CastContext, number>> = { implicit: 0, assignment: 1, explicit: 2 };

/** Whether a value of `source` may stand where `target` is wanted. Unknown literals may stand anywhere; polymorphic targets are judged in `resolution.ts`. */
export function canCoerce(source: SqlType, target: SqlType, context: CastContext): boolean {
  if (source === target || target === types.any || source === types.unknown) return true;
  const path = findCast(source, target);
  return path !== undefined && rank[path.context] <= rank[context];
}

/**
 * Whether every value stays as it is held in memory, so that the conversion need not be run at all: int4 to int8, int4
 * to float8, varchar to text. A modifier is not considered.
 */
function keeps({ kind, entry, element }: CastPath, source: SqlType, target: SqlType): boolean {
  if (kind === "array") return keeps(element as CastPath, source.element as SqlType, target.element as SqlType);
  if (kind === "relabel" && entry === undefined) return true;
  if (entry?.convert === sameValue) return true;
  return kind === "relabel" && source.category === "S" && target.category === "S";
}

/** 42846 `cannot cast type … to …`. */
function cannotCast(source: SqlType, target: SqlType, position?: number): SqlError {
  return new SqlError(sqlstate.cannotCoerce, `cannot cast type ${source.display} to ${target.display}`, { position });
}

/**
 * The conversion of non-null values from `source` to `target` with a modifier, for one session.
 * `explicit` decides what a length does to a string that is too long: cut it, or refuse it (22001).
 * @throws SqlError 42846 when there is no such cast
 */
export function makeCast(
  source: SqlType,
  target: SqlType,
  typmod: number,
  explicit: boolean,
  session: TypeContext,
): (value: Value) => Value {
  const path = findCast(source, target);
  if (path === undefined) throw cannotCast(source, target);
  const convert = conversion(path, source, target, typmod, explicit, session);
  const coerce = modifierCoercion(target, typmod, explicit);
  if (coerce === undefined) return convert ?? ((value) => value);
  if (convert === undefined) return coerce;
  return (value) => {
    const converted = convert(value);
    return converted === null ? null : coerce(converted); // an infinite timestamp has no time of day: NULL
  };
}

/** Whether a cast between these does nothing at all, so that it can be left out of a plan. */
export function isNoOperation(source: SqlType, target: SqlType, typmod: number): boolean {
  return source === target && (typmod < 0 || modifierCoercion(target, typmod, true) === undefined);
}

function conversion(
  path: CastPath,
  source: SqlType,
  target: SqlType,
  typmod: number,
  explicit: boolean,
  session: TypeContext,
): ((value: Value) => Value) | undefined {
  if (keeps(path, source, target)) return undefined;
  switch (path.kind) {
    case "relabel":
    case "function": {
      const convert = path.entry?.convert as
        | ((value: Value, typmod: number, context: TypeContext) => Value)
        | undefined;
      return convert && ((value) => convert(value, typmod, session));
    }
    case "io": {
      const to = operationsOf(target);
      // Only an interval is read differently for its modifier: `'10'::interval minute`.
      const inputTypmod = target === types.interval ? typmod : -1;
      if (source === types.unknown) return (value) => to.input(value as string, inputTypmod, session);
      const from = operationsOf(source);
      return (value) => to.input(from.output(value, session), inputTypmod, session);
    }
    case "array":
      return arrayConversion(
        path.element as CastPath,
        source.element as SqlType,
        target.element as SqlType,
        explicit,
        session,
      );
    case "record":
      return recordConversion(target, explicit, session);
  }
}

function arrayConversion(path: CastPath, source: SqlType, target: SqlType, explicit: boolean, session: TypeContext) {
  const convert = conversion(path, source, target, -1, explicit, session);
  return convert && mapElements(source, target, convert);
}

/** A function over arrays that converts each element and keeps the shape. */
function mapElements(source: SqlType, target: SqlType, convert: (value: Value) => Value) {
  return (value: Value): Value => {
    const array = value as readonly Value[];
    const items = elements(array, source).map((item) => (item === null ? null : convert(item)));
    return shapeArray(items, dimensions(array, source), lowerBounds(array, source), target);
  };
}

function recordConversion(target: SqlType, explicit: boolean, session: TypeContext) {
  const fields = target.fields ?? [];
  return (value: Value): Value => {
    const record = value as RecordValue;
    if (record.values.length !== fields.length) {
      throw new SqlError(sqlstate.cannotCoerce, `cannot cast type record to ${target.display}`, {
        detail: record.values.length < fields.length ? "Input has too few columns." : "Input has too many columns.",
      });
    }
    const values = record.values.map((item, i) =>
      item === null
        ? null
        : makeCast(record.fields[i].type, fields[i].type, fields[i].typmod ?? -1, explicit, session)(item),
    );
    return new RecordValue(values, fields);
  };
}
