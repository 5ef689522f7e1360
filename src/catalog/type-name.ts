/** A type as written in SQL, resolved to the type and its modifier: `numeric(10,2)[]`, `timestamp(3)`, an enum's name. */

import { closest } from "../errors/did-you-mean.js";
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type * as ast from "../grammar/ast.js";
import { arrayOf, type SqlType, type TypeWithModifier, types } from "../types/type.js";

/** Types that a statement may name; pseudo-types cannot be columns. */
const nameable = new Map<string, SqlType>(
  Object.values(types)
    .filter((type) => type.kind === "base")
    .map((type) => [type.name, type]),
);

/** Types PostgreSQL has and the engine does not, so that the message can say so. */
const outside = new Set(
  (
    "box circle line lseg path point polygon cidr inet macaddr macaddr8 money bit varbit tsvector tsquery xml int4range int8range numrange " +
    "tsrange tstzrange daterange int4multirange int8multirange nummultirange tsmultirange tstzmultirange datemultirange pg_lsn txid_snapshot pg_snapshot"
  ).split(" "),
);

/**
 * @param userType finds enums and other types of the catalogue, when there is one
 * @throws SqlError 42704 for an unknown type, 0A000 for one outside the surface, 22023 / 42601 for a bad modifier
 */
export function resolveTypeName(
  node: ast.TypeName,
  userType?: (name: string, schema?: string) => SqlType | undefined,
): TypeWithModifier {
  const position = node.range.start + 1;
  if (node.setOf || node.percentType) {
    throw new SqlError(sqlstate.featureNotSupported, `${node.setOf ? "SETOF" : "%TYPE"} is not supported`, {
      position,
    });
  }
  const builtin = node.schema === undefined || node.schema === "pg_catalog" ? nameable.get(node.name) : undefined;
  const type = builtin ?? (node.schema === "pg_catalog" ? undefined : userType?.(node.name, node.schema));
  if (type === undefined) throw unknownType(node, position);
  const typmod = modifierOf(type, node, position);
  return node.arrayBounds.length > 0 ? { type: arrayOf(type), typmod } : { type, typmod };
}

function unknownType(node: ast.TypeName, position: number): SqlError {
  if (outside.has(node.name)) {
    return new SqlError(sqlstate.featureNotSupported, `type ${node.name} is not supported`, {
      position,
      hint: "Use text for the value, or jsonb for a structure.",
    });
  }
  const near = closest(node.name, nameable.keys());
  const shown = node.schema === undefined ? node.name : `${node.schema}.${node.name}`;
  return new SqlError(sqlstate.undefinedObject, `type "${shown}" does not exist`, {
    position,
    ...(near !== undefined && { hint: `Perhaps you meant the type "${near}".` }),
  });
}

function modifierOf(type: SqlType, node: ast.TypeName, position: number): number {
  if (type.name === "interval" && node.intervalFields !== undefined) return intervalModifier(node, position);
  if (node.modifiers.length === 0) return -1;
  const numbers = node.modifiers.map((modifier) => integerOf(modifier, position));
  switch (type.name) {
    case "varchar":
    case "bpchar":
      return lengthModifier(type, numbers, position);
    case "numeric":
      return numericModifier(numbers, position);
    case "time":
    case "timetz":
    case "timestamp":
    case "timestamptz":
      return precision(type, numbers, position);
    case "interval":
      return (allIntervalFields << 16) | precision(type, numbers, position);
    default:
      throw new SqlError(sqlstate.syntaxError, `type modifier is not allowed for type "${type.name}"`, { position });
  }
}

function integerOf(modifier: ast.Expression, position: number): number {
  if (modifier.kind === "NumericLiteral" && modifier.isInteger) return Number(modifier.text);
  if (modifier.kind === "UnaryOperator" && modifier.operator.name === "-")
    return -integerOf(modifier.operand, position);
  throw new SqlError(sqlstate.syntaxError, "type modifiers must be simple constants or identifiers", { position });
}

function lengthModifier(type: SqlType, numbers: readonly number[], position: number): number {
  const name = type.name === "bpchar" ? "char" : "varchar";
  const [length] = numbers;
  if (numbers.length !== 1) throw new SqlError("22023", "invalid type modifier", { position });
  if (length < 1) throw new SqlError("22023", `length for type ${name} must be at least 1`, { position });
  if (length > 10_485_760) throw new SqlError("22023", `length for type ${name} cannot exceed 10485760`, { position });
  return length + 4;
}

function numericModifier(numbers: readonly number[], position: number): number {
  const [precisionDigits, scale = 0] = numbers;
  if (numbers.length > 2) throw new SqlError("22023", "invalid NUMERIC type modifier", { position });
  if (precisionDigits < 1 || precisionDigits > 1000)
    throw new SqlError("22023", `NUMERIC precision ${precisionDigits} must be between 1 and 1000`, { position });
  if (scale < -1000 || scale > 1000)
    throw new SqlError("22023", `NUMERIC scale ${scale} must be between -1000 and 1000`, { position });
  return ((precisionDigits << 16) | (scale & 0x7ff)) + 4;
}

/** More than six digits are cut to six, with a warning in PostgreSQL. */
function precision(type: SqlType, numbers: readonly number[], position: number): number {
  const [digits] = numbers;
  if (numbers.length !== 1) throw new SqlError("22023", "invalid type modifier", { position });
  if (digits < 0)
    throw new SqlError("22023", `${type.display.toUpperCase()} precision must not be negative`, { position });
  return Math.min(digits, 6);
}

/** Bits of interval fields in a typmod. Source: PostgreSQL 15, src/include/utils/timestamp.h (INTERVAL_MASK). */
const allIntervalFields = 0x7fff;
const intervalBits: Readonly<Record<string, number>> = { month: 1, year: 2, day: 3, hour: 10, minute: 11, second: 12 };
const intervalUnits = ["year", "month", "day", "hour", "minute", "second"];

function intervalModifier(node: ast.TypeName, position: number): number {
  const words = String(node.intervalFields).split(" to ");
  const from = intervalUnits.indexOf(words[0]);
  const to = intervalUnits.indexOf(words[words.length - 1]);
  let mask = 0;
  for (const unit of intervalUnits.slice(from, to + 1)) mask |= 1 << intervalBits[unit];
  const digits =
    node.modifiers.length === 0
      ? 0xffff
      : precision(types.interval, [integerOf(node.modifiers[0], position)], position);
  return (mask << 16) | digits;
}
