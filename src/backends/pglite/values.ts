/** Values between PGlite and its callers, by the oid of their type: out as the built-in engine shows them, in as it reads them. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { operationsOf } from "../../types/families.js";
import type { TypeContext } from "../../types/operations.js";
import { arrayOf, type SqlType, types } from "../../types/type.js";

/** Types with a text form that can be read without knowing more: rows can't, since their fields' types are not told. */
const valueTypes: readonly SqlType[] = Object.values(types).filter(
  (type) => type.kind === "base" && !type.name.startsWith("reg") && type.name !== "citext" && type.name !== "jsonpath",
);

const all: readonly SqlType[] = [...valueTypes, ...valueTypes.map((type) => arrayOf(type))];

/** PGlite's `parsers`: PostgreSQL's text to a host value. */
export function hostReaders(context: TypeContext): Record<number, (text: string) => unknown> {
  return Object.fromEntries(
    all.map((type) => {
      const operations = operationsOf(type);
      return [type.oid, (text: string) => operations.toHost(operations.input(text, -1, context), context)];
    }),
  );
}

/** PGlite's `serializers`: parameters to PostgreSQL's text. */
export function hostWriters(context: TypeContext): Record<number, (value: unknown) => string> {
  return Object.fromEntries(all.map((type) => [type.oid, (value: unknown) => parameterText(value, type, context)]));
}

function parameterText(value: unknown, type: SqlType, context: TypeContext): string {
  if (typeof value === "string") return value;
  const operations = operationsOf(type);
  const converted = operations.fromHost(value, -1, context);
  if (converted !== undefined) return operations.output(converted, context);
  const isPlain = typeof value === "number" || typeof value === "bigint" || typeof value === "boolean";
  if (type.category === "S" && isPlain) return String(value);
  throw new SqlError(sqlstate.invalidTextRepresentation, `a parameter is not a value of type ${type.display}`, {
    hint: `Pass a ${type.display}, or its text.`,
  });
}
