/**
 * The SQL types themselves: names, categories, arrays, enums. What can be done with a type's values stands in the
 * files of its family and is reached through `operations.ts`; how values are held in memory is told in `value.ts`.
 * Source of names, oids and categories: PostgreSQL 15, catalogue pg_type.
 */
import { displayInterval } from "./datetime/interval-modifier.js";
import type { RecordField } from "./value.js";

/** PostgreSQL's type categories (pg_type.typcategory), which steer overload resolution. */
export type TypeCategory = "A" | "B" | "C" | "D" | "E" | "N" | "P" | "S" | "T" | "U" | "V" | "X" | "Z";

/** A type. Types are compared by identity: each exists once (`arrayOf` remembers its results). */
export interface SqlType {
  /** pg_type.typname: `int4`, `_text`, the name of an enum. */
  readonly name: string;
  /** As PostgreSQL's messages and information_schema write it: `integer`, `text[]`, `timestamp with time zone`. */
  readonly display: string;
  readonly kind: "base" | "enum" | "array" | "record" | "pseudo";
  readonly category: TypeCategory;
  /** Whether it is its category's preferred type. */
  readonly preferred: boolean;
  readonly oid: number;
  /** Element type of an array. */
  readonly element?: SqlType;
  /** Labels of an enum type in order. */
  readonly labels?: readonly string[];
  /** Fields of a row type whose shape is known. */
  readonly fields?: readonly RecordField[];
}

/** A type with its modifier as PostgreSQL encodes it (atttypmod): `varchar(10)` is 14, `numeric(5,2)` is 327686, none is -1. */
export interface TypeWithModifier {
  readonly type: SqlType;
  readonly typmod: number;
}

function base(name: string, display: string, category: TypeCategory, oid: number, preferred = false): SqlType {
  return { name, display, kind: "base", category, preferred, oid };
}

function pseudo(name: string, oid: number, category: TypeCategory = "P"): SqlType {
  return { name, display: name, kind: "pseudo", category, preferred: false, oid };
}

/** Every type of the engine that has no parameter, by its pg_type name. */
export const types = {
  bool: base("bool", "boolean", "B", 16, true),
  bytea: base("bytea", "bytea", "U", 17),
  char: base("char", '"char"', "Z", 18),
  name: base("name", "name", "S", 19),
  int8: base("int8", "bigint", "N", 20),
  int2: base("int2", "smallint", "N", 21),
  int4: base("int4", "integer", "N", 23),
  regproc: base("regproc", "regproc", "N", 24),
  text: base("text", "text", "S", 25, true),
  oid: base("oid", "oid", "N", 26, true),
  json: base("json", "json", "U", 114),
  float4: base("float4", "real", "N", 700),
  float8: base("float8", "double precision", "N", 701, true),
  unknown: { ...pseudo("unknown", 705, "X") },
  bpchar: base("bpchar", "character", "S", 1042),
  varchar: base("varchar", "character varying", "S", 1043),
  date: base("date", "date", "D", 1082),
  time: base("time", "time without time zone", "D", 1083),
  timestamp: base("timestamp", "timestamp without time zone", "D", 1114),
  timestamptz: base("timestamptz", "timestamp with time zone", "D", 1184, true),
  interval: base("interval", "interval", "T", 1186, true),
  timetz: base("timetz", "time with time zone", "D", 1266),
  numeric: base("numeric", "numeric", "N", 1700),
  uuid: base("uuid", "uuid", "U", 2950),
  jsonb: base("jsonb", "jsonb", "U", 3802),
  jsonpath: base("jsonpath", "jsonpath", "U", 4072),
  citext: base("citext", "citext", "S", 16385),
  regclass: base("regclass", "regclass", "N", 2205),
  regtype: base("regtype", "regtype", "N", 2206),
  record: { ...pseudo("record", 2249), kind: "record" as const },
  void: pseudo("void", 2278),
  any: pseudo("any", 2276),
  anyelement: pseudo("anyelement", 2283),
  anyarray: pseudo("anyarray", 2277),
  anynonarray: pseudo("anynonarray", 2776),
  anyenum: pseudo("anyenum", 3500),
  anycompatible: pseudo("anycompatible", 5077),
  anycompatiblearray: pseudo("anycompatiblearray", 5078),
  anycompatiblenonarray: pseudo("anycompatiblenonarray", 5079),
} as const satisfies Record<string, SqlType>;

/** Name of a type in tables of functions: any key of {@link types}, with `[]` for its array. */
export type TypeName = keyof typeof types | `${keyof typeof types}[]`;

const arrays = new Map<SqlType, SqlType>();
const elementOids: ReadonlyMap<string, number> = new Map(
  Object.entries({
    bool: 1000,
    bytea: 1001,
    char: 1002,
    name: 1003,
    int2: 1005,
    int4: 1007,
    text: 1009,
    bpchar: 1014,
    varchar: 1015,
    int8: 1016,
    float4: 1021,
    float8: 1022,
    oid: 1028,
    timestamp: 1115,
    date: 1182,
    time: 1183,
    timestamptz: 1185,
    interval: 1187,
    numeric: 1231,
    timetz: 1270,
    json: 199,
    uuid: 2951,
    jsonb: 3807,
    record: 2287,
    citext: 16390,
  }),
);

/** The array type of an element type; an array's array is itself, as in PostgreSQL, where dimensions are no part of the type. */
export function arrayOf(element: SqlType): SqlType {
  if (element.kind === "array") return element;
  let array = arrays.get(element);
  if (array === undefined) {
    array = {
      name: `_${element.name}`,
      display: `${element.display}[]`,
      kind: "array",
      category: "A",
      preferred: false,
      oid: elementOids.get(element.name) ?? 100_000 + element.oid,
      element,
    };
    arrays.set(element, array);
  }
  return array;
}

/** The type of that name in a table of functions. */
export function typeNamed(name: TypeName): SqlType {
  return name.endsWith("[]")
    ? arrayOf(types[name.slice(0, -2) as keyof typeof types])
    : types[name as keyof typeof types];
}

let nextOid = 20_000;

/** A new enum type (CREATE TYPE … AS ENUM); two enums of one name are different types. */
export function enumType(name: string, labels: readonly string[]): SqlType {
  return { name, display: name, kind: "enum", category: "E", preferred: false, oid: nextOid++, labels };
}

/** A row type of known shape; `name` is the table's name for a whole-row reference, otherwise `record`. */
export function recordType(fields: readonly RecordField[], name = "record"): SqlType {
  return {
    name,
    display: name,
    kind: "record",
    category: name === "record" ? "P" : "C",
    preferred: false,
    oid: name === "record" ? 2249 : nextOid++,
    fields,
  };
}

/** `int4`, `numeric(10,2)`, `timestamp(3) with time zone`: the type as PostgreSQL's format_type writes it. */
export function displayType(type: SqlType, typmod = -1): string {
  if (typmod < 0) return type.display;
  if (type.kind === "array" && type.element !== undefined) return `${displayType(type.element, typmod)}[]`;
  switch (type.name) {
    case "varchar":
    case "bpchar":
      return `${type.display}(${typmod - 4})`;
    case "numeric":
      return `numeric(${((typmod - 4) >> 16) & 0xffff},${numericScaleOf(typmod)})`;
    case "time":
    case "timestamp":
      return type.display.replace(" without", `(${typmod}) without`);
    case "timetz":
    case "timestamptz":
      return type.display.replace(" with ", `(${typmod}) with `);
    case "interval":
      return displayInterval(typmod);
    default:
      return type.display;
  }
}

/** Scale of a numeric typmod; negative scales are allowed since PostgreSQL 15 (11 bits, two's complement). */
export function numericScaleOf(typmod: number): number {
  return (((typmod - 4) & 0x7ff) ^ 1024) - 1024;
}
