/**
 * Casts among the string types, and between "char" and integer. Lengths (`varchar(n)`) are applied afterwards by the
 * caller. Source: PostgreSQL 15, catalogue pg_cast; citext 1.6.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { CastEntry } from "./casts/entry.js";
import { charFromText, charToText, maxNameBytes, trimBlanks } from "./text.js";
import { clipUtf8 } from "./utf8.js";

const same = (value: string): string => value;
const toName = (value: string): string => clipUtf8(value, maxNameBytes);
const blanksToName = (value: string): string => clipUtf8(trimBlanks(value), maxNameBytes);

export const textCasts: readonly CastEntry[] = [
  { source: "char", target: "text", context: "implicit", convert: charToText },
  { source: "char", target: "bpchar", context: "assignment", convert: charToText },
  { source: "char", target: "varchar", context: "assignment", convert: charToText },
  { source: "char", target: "int4", context: "explicit", convert: charToInteger },
  { source: "int4", target: "char", context: "explicit", convert: integerToChar },
  { source: "name", target: "text", context: "implicit", convert: same },
  { source: "name", target: "bpchar", context: "assignment", convert: same },
  { source: "name", target: "varchar", context: "assignment", convert: same },
  { source: "text", target: "char", context: "assignment", convert: charFromText },
  { source: "text", target: "name", context: "implicit", convert: toName },
  { source: "text", target: "bpchar", context: "implicit", convert: same },
  { source: "text", target: "varchar", context: "implicit", convert: same },
  { source: "bpchar", target: "char", context: "assignment", convert: charFromText },
  { source: "bpchar", target: "name", context: "implicit", convert: blanksToName },
  { source: "bpchar", target: "text", context: "implicit", convert: trimBlanks },
  { source: "bpchar", target: "varchar", context: "implicit", convert: trimBlanks },
  { source: "varchar", target: "char", context: "assignment", convert: charFromText },
  { source: "varchar", target: "name", context: "implicit", convert: toName },
  { source: "varchar", target: "text", context: "implicit", convert: same },
  { source: "varchar", target: "bpchar", context: "implicit", convert: same },
  { source: "citext", target: "text", context: "implicit", convert: same },
  { source: "citext", target: "varchar", context: "implicit", convert: same },
  { source: "citext", target: "bpchar", context: "assignment", convert: same },
  { source: "text", target: "citext", context: "assignment", convert: same },
  { source: "varchar", target: "citext", context: "assignment", convert: same },
  { source: "bpchar", target: "citext", context: "assignment", convert: trimBlanks },
  { source: "bool", target: "citext", context: "assignment", convert: (value: boolean) => (value ? "true" : "false") },
];

/** The byte as a signed number. */
function charToInteger(value: string): number {
  const code = value === "" ? 0 : value.charCodeAt(0);
  return code > 127 ? code - 256 : code;
}

function integerToChar(value: number): string {
  if (value < -128 || value > 127) throw new SqlError(sqlstate.numericValueOutOfRange, '"char" out of range');
  return value === 0 ? "" : String.fromCharCode(value & 0xff);
}
