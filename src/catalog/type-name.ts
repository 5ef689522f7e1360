/**
 * Type names as written: which type, and its modifier as PostgreSQL encodes it (`numeric(10,2)[]`, `interval day to second`,
 * an enum's name). Source: PostgreSQL 15, chapter 8, and the typmod input functions of its types.
 */
import { closest } from "../errors/did-you-mean.js";
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type * as ast from "../grammar/ast.js";
import { fullRange, intervalField, intervalTypmod } from "../types/datetime/interval-modifier.js";
import { isMissingType } from "../types/missing-types.js";
import { arrayOf, type SqlType, type TypeWithModifier, types } from "../types/type.js";

/** Finds enums and other types of a catalogue. */
export type UserTypes = (name: string, schema?: string) => SqlType | undefined;

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
export function resolveTypeName(name: ast.TypeName, userTypes?: UserTypes): TypeWithModifier {
  const position = name.range.start + 1;
  if (name.percentType) {
    throw new SqlError(sqlstate.featureNotSupported, "%TYPE is not supported", {
      position,
      hint: "Write the type's own name.",
    });
  }
  if (name.setOf) throw syntaxError("SETOF is only allowed as the result of a function", position);
  const type = findType(name.name, name.schema, userTypes);
  if (type === undefined) throw unknownType(name, position);
  const typmod = typmodOf(type, name, position);
  return { type: name.arrayBounds.length > 0 ? arrayOf(type) : type, typmod };
}

/** The same for a column, which stores values. @throws SqlError 42P16 for a pseudo-type */
export function resolveColumnType(name: ast.TypeName, userTypes?: UserTypes): TypeWithModifier {
  const resolved = resolveTypeName(name, userTypes);
  const { type } = resolved;
  if ((type.element ?? type).kind !== "pseudo" && (type.element ?? type) !== types.record) return resolved;
  throw new SqlError(sqlstate.invalidTableDefinition, `a column cannot have the pseudo-type ${type.display}`, {
    position: name.range.start + 1,
  });
}

/** A type by its name, or `undefined`. */
export function findType(name: string, schema: string | undefined, userTypes?: UserTypes): SqlType | undefined {
  if (schema === undefined || schema === "pg_catalog") {
    const known: SqlType | undefined = Object.hasOwn(types, name) ? types[name as keyof typeof types] : undefined;
    if (known !== undefined && !notCastable.has(name)) return known;
    if (name.startsWith("_")) {
      const element = findType(name.slice(1), schema, userTypes);
      if (element !== undefined) return arrayOf(element);
    }
  }
  return schema === "pg_catalog" ? undefined : userTypes?.(name, schema);
}

function unknownType(name: ast.TypeName, position: number): SqlError {
  const shown = name.schema === undefined ? name.name : `${name.schema}.${name.name}`;
  if ((name.schema === undefined || name.schema === "pg_catalog") && isMissingType(name.name)) {
    return new SqlError(sqlstate.featureNotSupported, `type "${shown}" is not supported`, {
      position,
      hint: "Use text for the value, or jsonb for a structure.",
    });
  }
  const near = closest(name.name, nameable());
  const suffix = name.arrayBounds.length > 0 ? "[]" : "";
  return new SqlError(sqlstate.undefinedObject, `type "${shown}${suffix}" does not exist`, {
    position,
    hint: near === undefined ? undefined : `Perhaps you meant the type "${near}".`,
  });
}

function nameable(): string[] {
  return Object.values(types).flatMap((type) => (type.kind === "base" ? [type.name] : []));
}

function typmodOf(type: SqlType, name: ast.TypeName, position: number): number {
  const modifiers = name.modifiers.map((modifier) => integerModifier(modifier, position));
  if (type === types.interval) {
    return intervalTypmod(
      intervalRange(name),
      modifiers.length === 0 ? undefined : secondsTypmod("INTERVAL", modifiers, position),
    );
  }
  if (modifiers.length === 0) return -1;
  switch (type) {
    case types.numeric:
      return numericTypmod(modifiers, position);
    case types.varchar:
      return lengthTypmod("varchar", modifiers, position);
    case types.bpchar:
      return lengthTypmod("char", modifiers, position);
    case types.time:
    case types.timetz:
      return secondsTypmod("TIME", modifiers, position, type === types.timetz);
    case types.timestamp:
    case types.timestamptz:
      return secondsTypmod("TIMESTAMP", modifiers, position, type === types.timestamptz);
    default:
      throw syntaxError(`type modifier is not allowed for type "${name.name}"`, position);
  }
}

function integerModifier(modifier: ast.Expression, position: number): number {
  if (modifier.kind === "NumericLiteral" && modifier.isInteger) return Number(modifier.text);
  if (modifier.kind === "StringLiteral" && /^\s*[+-]?\d+\s*$/.test(modifier.value)) return Number(modifier.value);
  if (modifier.kind === "UnaryOperator" && modifier.operator.name === "-") {
    return -integerModifier(modifier.operand, position);
  }
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
function secondsTypmod(shown: string, modifiers: readonly number[], position: number, zone = false): number {
  if (modifiers.length !== 1) throw invalid("invalid type modifier", position);
  const [precision] = modifiers;
  if (precision < 0) {
    throw invalid(`${shown}(${precision})${zone ? " WITH TIME ZONE" : ""} precision must not be negative`, position);
  }
  return Math.min(precision, 6);
}

const fieldOrder = ["year", "month", "day", "hour", "minute", "second"] as const;

/** The bits of `DAY TO SECOND`. */
function intervalRange({ intervalFields }: ast.TypeName): number {
  if (intervalFields === undefined) return fullRange;
  const [first, last = first] = intervalFields.split(" to ") as (typeof fieldOrder)[number][];
  return fieldOrder
    .slice(fieldOrder.indexOf(first), fieldOrder.indexOf(last) + 1)
    .reduce((range, field) => range | intervalField[field], 0);
}

function syntaxError(message: string, position: number): SqlError {
  return new SqlError(sqlstate.syntaxError, message, { position });
}

function invalid(message: string, position: number): SqlError {
  return new SqlError(sqlstate.invalidParameterValue, message, { position });
}
