/**
 * Type names as written: which type, and its modifier as PostgreSQL encodes it (`numeric(10,2)`, `interval day to second`).
 * Source: PostgreSQL 15, chapter 8, and the typmod input functions of its types.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { arrayOf, type SqlType, type TypeWithModifier, types } from "../../types/type.js";
import { at, notSupported, syntaxError } from "./errors.js";
import type { BindState } from "./state.js";

/** Types that PostgreSQL has and the engine has not: refused by name rather than unknown. */
const otherTypes = new Set(
  `abstime aclitem bit box cid cidr circle cstring date_multirange daterange gtsvector inet int2vector int4multirange
  int4range int8multirange int8range line lseg macaddr macaddr8 money nummultirange numrange oidvector path pg_lsn
  pg_snapshot point polygon refcursor regcollation regconfig regdictionary regnamespace regoper regoperator
  regprocedure regrole tid tsmultirange tsquery tsrange tstzmultirange tstzrange tsvector txid_snapshot varbit xid xid8 xml`
    .split(/\s+/)
    .filter((name) => name !== ""),
);

/** Pseudo-types that no value can be cast to. */
const notCastable = new Set([
  "any",
  "anyelement",
  "anyarray",
  "anynonarray",
  "anyenum",
  "anycompatible",
  "anycompatiblearray",
  "anycompatiblenonarray",
]);

/** The type that a name stands for, with its modifier. @throws SqlError 42704, 0A000, 22023, 42601 */
export function resolveTypeName(name: ast.TypeName, state: BindState): TypeWithModifier {
  const position = at(name);
  if (name.percentType) throw notSupported("%TYPE is not supported", position, "Write the type's own name.");
  if (name.setOf) throw syntaxError("SETOF is only allowed as the result of a function", position);
  const type = findType(name.name, name.schema, state);
  if (type === undefined) throw unknownType(name, position);
  const typmod = typmodOf(type, name);
  return { type: name.arrayBounds.length > 0 ? arrayOf(type) : type, typmod };
}

/** A type by its name, or `undefined`. */
export function findType(name: string, schema: string | undefined, state: BindState): SqlType | undefined {
  if (schema === undefined || schema === "pg_catalog") {
    const known: SqlType | undefined = Object.hasOwn(types, name) ? types[name as keyof typeof types] : undefined;
    if (known !== undefined && !notCastable.has(name)) return known;
    if (name.startsWith("_")) {
      const element = findType(name.slice(1), schema, state);
      if (element !== undefined) return arrayOf(element);
    }
  }
  return state.catalog.type?.(name, schema);
}

function unknownType(name: ast.TypeName, position: number): SqlError {
  const shown = name.schema === undefined ? name.name : `${name.schema}.${name.name}`;
  if (otherTypes.has(name.name)) return notSupported(`type "${shown}" is not supported`, position);
  const suffix = name.arrayBounds.length > 0 ? "[]" : "";
  return new SqlError(sqlstate.undefinedObject, `type "${shown}${suffix}" does not exist`, { position });
}

function typmodOf(type: SqlType, name: ast.TypeName): number {
  if (type.name === "interval" && (name.intervalFields !== undefined || name.modifiers.length > 0)) {
    return intervalTypmod(name);
  }
  if (name.modifiers.length === 0) return -1;
  const position = at(name);
  const modifiers = name.modifiers.map((modifier) => integerModifier(modifier, position));
  switch (type.name) {
    case "numeric":
      return numericTypmod(modifiers, position);
    case "varchar":
    case "bpchar":
      return lengthTypmod(type.name === "bpchar" ? "char" : "varchar", modifiers, position);
    case "time":
    case "timetz":
    case "timestamp":
    case "timestamptz":
      return secondsTypmod(type, modifiers, position);
    default:
      throw syntaxError(`type modifier is not allowed for type "${name.name}"`, position);
  }
}

function integerModifier(modifier: ast.Expression, position: number): number {
  if (modifier.kind === "NumericLiteral" && modifier.isInteger) return Number(modifier.text);
  if (modifier.kind === "StringLiteral" && /^\s*[+-]?\d+\s*$/.test(modifier.value)) return Number(modifier.value);
  throw syntaxError("type modifiers must be simple constants or identifiers", position);
}

function numericTypmod(modifiers: readonly number[], position: number): number {
  if (modifiers.length > 2) throw invalid("invalid NUMERIC type modifier", position);
  const [precision, scale = 0] = modifiers;
  if (precision < 1 || precision > 1000) {
    throw invalid(`NUMERIC precision ${precision} must be between 1 and 1000`, position);
  }
  if (scale < -1000 || scale > 1000) {
    throw invalid(`NUMERIC scale ${scale} must be between -1000 and 1000`, position);
  }
  return ((precision << 16) | (scale & 0x7ff)) + 4;
}

function lengthTypmod(shown: string, modifiers: readonly number[], position: number): number {
  if (modifiers.length !== 1) throw invalid("invalid type modifier", position);
  const [length] = modifiers;
  if (length < 1) throw invalid(`length for type ${shown} must be at least 1`, position);
  if (length > 10485760) throw invalid(`length for type ${shown} cannot exceed 10485760`, position);
  return length + 4;
}

/** More than six digits of a second are cut to six, with a warning in PostgreSQL. */
function secondsTypmod(type: SqlType, modifiers: readonly number[], position: number): number {
  if (modifiers.length !== 1) throw invalid("invalid type modifier", position);
  const [precision] = modifiers;
  if (precision < 0) {
    const shown = type.name.startsWith("timestamp") ? "TIMESTAMP" : "TIME";
    const zone = type.name.endsWith("tz") ? " WITH TIME ZONE" : "";
    throw invalid(`${shown}(${precision})${zone} precision must not be negative`, position);
  }
  return Math.min(precision, 6);
}

const fieldBits = { year: 2, month: 1, day: 3, hour: 10, minute: 11, second: 12 } as const;
const fieldOrder = ["year", "month", "day", "hour", "minute", "second"] as const;

/** The high half says which fields are kept, the low half how many digits of a second (0xFFFF: all). */
function intervalTypmod(name: ast.TypeName): number {
  const precision = name.modifiers.length === 0 ? 0xffff : Math.min(integerModifier(name.modifiers[0], at(name)), 6);
  if (precision < 0) throw invalid(`INTERVAL(${precision}) precision must not be negative`, at(name));
  let range = 0x7fff;
  if (name.intervalFields !== undefined) {
    const [first, last = first] = name.intervalFields.split(" to ") as (keyof typeof fieldBits)[];
    range = 0;
    for (const field of fieldOrder.slice(fieldOrder.indexOf(first), fieldOrder.indexOf(last) + 1)) {
      range |= 1 << fieldBits[field];
    }
  }
  return (range << 16) | precision;
}

function invalid(message: string, position: number): SqlError {
  return new SqlError(sqlstate.invalidParameterValue, message, { position });
}
